"""Charts as SVG, with nothing but the standard library.

Colours are CSS variables with a second set for dark screens. A series has its own colour and its own shape, so
that charts can be read without colours. There are two kinds of panels: RowPanel has a row for each thing measured
and markers along one axis, CurvePanel has curves or points over two axes.
"""

import math
from dataclasses import dataclass, field
from html import escape

STYLE = """
svg { --paper:#ffffff; --ink:#1f2328; --soft:#59636e; --grid:#e4e7ea; --band:#f6f8fa;
  --c0:#0969da; --c1:#d1570b; --c2:#1a7f55; --c3:#a2459a; --c4:#8a6d00; --c5:#57606a; }
@media (prefers-color-scheme: dark) { svg { --paper:#0d1117; --ink:#e6edf3; --soft:#9198a1; --grid:#2a313a;
  --band:#151b23; --c0:#58a6ff; --c1:#ff9a57; --c2:#4ac08b; --c3:#e08ad6; --c4:#d9b64a; --c5:#a5afba; } }
text { font-family: system-ui, "Helvetica Neue", Arial, sans-serif; fill: var(--ink); font-size: 13px; }
.soft { fill: var(--soft); font-size: 12px; } .title { font-weight: 600; font-size: 15px; }
.grid { stroke: var(--grid); } .axis { stroke: var(--soft); } .band { fill: var(--band); }
.paper { fill: var(--paper); }
""" + "".join(f".f{i} {{ fill: var(--c{i}); }} .s{i} {{ stroke: var(--c{i}); fill: none; }}\n" for i in range(6))


class Drawing:
    """SVG elements in the order in which they are drawn."""

    def __init__(self, width, title):
        self.width = width
        self.height = 0
        self.title = title
        self.parts = []

    def text(self, x, y, content, anchor="start", kind="", more=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}"{more}>'
                          f'{escape(content)}</text>')

    def line(self, x1, y1, x2, y2, kind="grid", more=""):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"{more}/>')

    def box(self, x, y, width, height, kind, hint=""):
        tip = f"<title>{escape(hint)}</title>" if hint else ""
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
                          f'class="{kind}">{tip}</rect>')

    def marker(self, x, y, series, hint="", hollow=False):
        """A shape for each series: circle, square, diamond, triangle, and these again."""
        outline = ["M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "M-4.5 -4.5h9v9h-9z", "M0 -6l6 6l-6 6l-6 -6z",
                   "M0 -6l5.5 10h-11z"][series % 4]
        look = f's{series}" style="fill:var(--paper)" stroke-width="1.6' if hollow else f"f{series}"
        self.parts.append(f'<path transform="translate({x:.1f} {y:.1f})" d="{outline}" class="{look}">'
                          f"<title>{escape(hint)}</title></path>")

    def curve(self, points, series, dashed=False):
        path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<path d="{path}" class="s{series}" stroke-width="{1.4 if dashed else 2.2}" '
                          f'stroke-linejoin="round"{dash}/>')

    def legend(self, x, y, names, hollow=()):
        for series, name in enumerate(names):
            self.marker(x + 5, y - 4, series, name, hollow=name in hollow)
            self.text(x + 16, y, name)
            x += 16 + 7.3 * len(name) + 24

    def svg(self):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'width="{self.width}" height="{self.height}" role="img">\n<title>{escape(self.title)}</title>\n'
                f'<style>{STYLE}</style>\n<rect width="{self.width}" height="{self.height}" class="paper"/>\n'
                + "\n".join(self.parts) + "\n</svg>\n")


def short(value):
    """1.2M, 35k, 0.04: a number in few characters."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.3g}"


@dataclass
class Scale:
    """Values to positions between `start` and `end`; logarithmic unless `log` is false."""
    low: float
    high: float
    start: float
    end: float
    log: bool = True
    ticks: list = field(default_factory=list)

    def __call__(self, value):
        low, high = (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)
        at = math.log10(value) if self.log else value
        return self.start + (at - low) / (high - low) * (self.end - self.start)


def log_scale(values, start, end, most_ticks=9):
    """Whole decades around the values."""
    values = [v for v in values if v and v > 0] or [1.0]
    low, high = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
    high = max(high, low + 1)
    step = max(1, math.ceil((high - low) / most_ticks))
    return Scale(10.0**low, 10.0**high, start, end, True, [10.0**e for e in range(low, high + 1, step)])


def linear_scale(values, start, end, low=0.0):
    high = max([v for v in values if v is not None] or [1.0])
    step = 10.0 ** math.floor(math.log10(high - low or 1.0))
    while (high - low) / step < 4:
        step /= 2
    count = math.ceil((high - low) / step - 1e-9)
    return Scale(low, low + count * step, start, end, False, [low + i * step for i in range(count + 1)])


def tight_log_scale(values, start, end, ticks):
    """From the least to the greatest value, with the given ticks that lie between them."""
    low, high = min(values) * 0.9, max(values) * 1.1
    return Scale(low, high, start, end, True, [t for t in ticks if low <= t <= high])


@dataclass
class Mark:
    """A value of a series in a row; no value means that it was not reached within `limit`."""
    series: int
    value: float | None
    limit: float | None = None


@dataclass
class RowPanel:
    title: str
    unit: str
    rows: list  # lists of marks
    log: bool = True
    notes: list = field(default_factory=list)  # a text at the right end of each row
    line_at: float | None = None  # a value to compare with

    row_height = 25

    def draw(self, drawing, left, top, width):
        marks = [m for row in self.rows for m in row]
        values = [m.value or m.limit for m in marks] + ([self.line_at] if self.line_at else [])
        make = log_scale if self.log else linear_scale
        scale = make(values, left, left + width)
        bottom = top + self.row_height * len(self.rows)
        drawing.text(left, top - 30, self.title, kind="title")
        drawing.text(left + width, top - 30, self.unit, anchor="end", kind="soft")
        for tick in scale.ticks:
            drawing.line(scale(tick), top, scale(tick), bottom)
            drawing.text(scale(tick), top - 8, short(tick), anchor="middle", kind="soft")
        if self.line_at:
            drawing.line(scale(self.line_at), top, scale(self.line_at), bottom, "axis", ' stroke-dasharray="3 3"')
        for i, row in enumerate(self.rows):
            self.draw_row(drawing, scale, row, top + self.row_height * (i + 0.5))
            if i < len(self.notes):
                drawing.text(left + width + 10, top + self.row_height * (i + 0.5) + 4, self.notes[i], kind="soft")

    def draw_row(self, drawing, scale, row, y):
        places = [scale(m.value or m.limit) for m in row if m.value or m.limit]
        if len(places) > 1:
            drawing.line(min(places), y, max(places), y, "axis", ' stroke-opacity="0.45"')
        for mark in reversed([m for m in row if m.value]):
            drawing.marker(scale(mark.value), y, mark.series, f"{short(mark.value)} {self.unit}")
        for place, mark in enumerate(m for m in row if not m.value and m.limit):
            hint = f"not within {short(mark.limit)} {self.unit}"
            drawing.marker(scale(mark.limit) + 14 * place, y, mark.series, hint, hollow=True)


def draw_rows(title, labels, panels, names, foot="", label_width=200, panel_width=330, note_width=0):
    """Panels side by side that share their rows."""
    gap = 46
    width = label_width + len(panels) * (panel_width + gap) + note_width
    drawing = Drawing(int(width), title)
    top = 96
    for i in range(0, len(labels), 2):
        drawing.box(8, top + RowPanel.row_height * i, width - 16, RowPanel.row_height, "band")
    drawing.legend(16, 26, names)
    for i, label in enumerate(labels):
        drawing.text(label_width - 14, top + RowPanel.row_height * (i + 0.5) + 4, label, anchor="end")
    for i, panel in enumerate(panels):
        panel.draw(drawing, label_width + i * (panel_width + gap), top, panel_width)
    return finish(drawing, top + RowPanel.row_height * len(labels) + 26, foot)


def finish(drawing, bottom, foot):
    for line in foot.splitlines():
        drawing.text(16, bottom, line, kind="soft")
        bottom += 17
    drawing.height = int(bottom + 4)
    return drawing.svg()


@dataclass
class Curve:
    series: int
    points: list  # pairs; the second is None where there is no value
    dashed: bool = False
    limit: float | None = None  # where the first missing value is drawn
    connected: bool = True


@dataclass
class CurvePanel:
    title: str
    x_title: str
    curves: list
    x_ticks: list | None = None  # for an axis that starts and ends where the values do
    log_y: bool = True
    line_at: float | None = None  # a value to compare with
    low: float = 0.0  # where an axis that is not logarithmic starts

    def draw(self, drawing, left, top, width, height):
        points = [p for curve in self.curves for p in curve.points if p[1] is not None]
        xs, ys = [p[0] for p in points] or [1], [p[1] for p in points] or [1]
        ys += [c.limit for c in self.curves if c.limit] + ([self.line_at] if self.line_at else [])
        x = tight_log_scale(xs, left, left + width, self.x_ticks) if self.x_ticks else log_scale(xs, left, left + width)
        y = log_scale(ys, top + height, top) if self.log_y else linear_scale(ys, top + height, top, self.low)
        self.draw_axes(drawing, x, y, left, top, width, height)
        for curve in self.curves:
            self.draw_curve(drawing, curve, x, y)

    def draw_axes(self, drawing, x, y, left, top, width, height):
        drawing.text(left, top - 14, self.title, kind="title")
        for tick in y.ticks:
            drawing.line(left, y(tick), left + width, y(tick))
            drawing.text(left - 8, y(tick) + 4, short(tick), anchor="end", kind="soft")
        for tick in x.ticks:
            drawing.line(x(tick), top, x(tick), top + height)
            drawing.text(x(tick), top + height + 18, short(tick), anchor="middle", kind="soft")
        drawing.line(left, top + height, left + width, top + height, "axis")
        drawing.text(left + width / 2, top + height + 38, self.x_title, anchor="middle")
        if self.line_at:
            drawing.line(left, y(self.line_at), left + width, y(self.line_at), "axis", ' stroke-dasharray="3 3"')

    @staticmethod
    def draw_curve(drawing, curve, x, y):
        known = [(x(a), y(b)) for a, b in curve.points if b]
        missing = [a for a, b in curve.points if not b]
        path = known + ([(x(missing[0]), y(curve.limit))] if curve.limit and known and missing else [])
        if curve.connected and len(path) > 1:
            drawing.curve(path, curve.series, curve.dashed)
        for (a, b), (px, py) in zip([p for p in curve.points if p[1]], known):
            drawing.marker(px, py, curve.series, f"{short(a)}: {short(b)}", hollow=curve.dashed)
        if len(path) > len(known):
            drawing.text(path[-1][0], path[-1][1] - 6, "…", anchor="middle")


def draw_curves(title, panels, names, foot="", width=300, height=290):
    gap = 78
    drawing = Drawing(int(60 + len(panels) * (width + gap) - gap + 40), title)
    drawing.legend(16, 26, names)
    for i, panel in enumerate(panels):
        panel.draw(drawing, 60 + i * (width + gap), 82, width, height)
    return finish(drawing, 82 + height + 66, foot)


def draw_shares(title, labels, rows, names, foot="", notes=(), label_width=200, width=420):
    """Bars of shares that sum to 1, one for each row."""
    drawing = Drawing(label_width + width + 190, title)
    drawing.legend(16, 26, names)
    for i, (label, shares) in enumerate(zip(labels, rows)):
        y, x = 56 + 34 * i, float(label_width)
        drawing.text(label_width - 14, y + 16, label, anchor="end")
        for series, share in enumerate(shares):
            drawing.box(x, y, share * width, 22, f"f{series}", f"{names[series]}: {100 * share:.1f} %")
            if share > 0.09:
                drawing.text(x + share * width / 2, y + 16, f"{100 * share:.0f} %", anchor="middle",
                             more=' style="fill:var(--paper)"')
            x += share * width
        if i < len(notes):
            drawing.text(label_width + width + 12, y + 16, notes[i], kind="soft")
    return finish(drawing, 56 + 34 * len(labels) + 22, foot)
