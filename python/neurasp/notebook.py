"""What notebooks show: tables with bars, trees, and curves. Plain HTML and SVG, every text escaped.

Pictures are images with their data inside, because notebooks and the pages made of them drop SVG that stands in HTML.
Colours must be readable on a light and on a dark ground.
"""

from __future__ import annotations

import base64
from html import escape
from typing import Any, Iterable, List, Mapping, Sequence, Tuple

MOST_ROWS = 200
_BAR = "display:inline-block;height:0.8em;background:#4878a8;vertical-align:middle"
_NUMBER = "display:inline-block;min-width:5.2em"
_COLOURS = ("#4878a8", "#c0603a", "#4f9a5b", "#8460a8", "#a08030")
_PANEL = (240, 170)  # pixels
_BARS = ("probability", "share")  # columns of numbers from 0 to 1


def shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)


def code(text: str, style: str = "") -> str:
    """A piece of a program."""
    return f"<span style='font-family:monospace;{style}'>{escape(text)}</span>"


def image(svg: str, alternative: str) -> str:
    """An SVG as an HTML image."""
    data = base64.b64encode(svg.encode()).decode()
    return f"<img alt='{escape(alternative, quote=True)}' src='data:image/svg+xml;base64,{data}'/>"


def table(columns: Sequence[str], rows: Sequence[Tuple[Any, ...]], mark: str = "") -> str:
    """A table; columns called "probability" and "share" get bars. ``mark`` says that the answer is not exact."""
    head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in columns)
    lines = []
    for row in rows[:MOST_ROWS]:
        cells = []
        for name, value in zip(columns, row):
            cell = escape(shown(value))
            if name in _BARS and isinstance(value, float) and 0.0 <= value <= 1.0:
                cell = (f"<span style='{_NUMBER}'>{cell}</span>"
                        f"<span style='{_BAR};width:{round(120 * value)}px'></span>")
            elif name in ("atom", "atoms", "instance", "reason"):
                cell = code(shown(value))
            wrap = "white-space:nowrap;" if name in _BARS else ""
            cells.append(f"<td style='{wrap}text-align:left'>{cell}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    more = f"<p>... {len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
    note = f"<p><b>{escape(mark)}</b></p>" if mark else ""
    return f"{note}<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"


def curves(series: Mapping[str, Sequence[Tuple[float, float]]]) -> str:
    """Lines over epochs side by side, each with its own scale from its least to its greatest value."""
    shown_series = {name: line for name, line in series.items() if line}
    if not shown_series:
        return ""
    width, height = _PANEL
    panels = "".join(_panel(name, line, number) for number, (name, line) in enumerate(shown_series.items()))
    svg = (f"<svg xmlns='http://www.w3.org/2000/svg' width='{width * len(shown_series)}' height='{height}' "
           f"font-family='sans-serif' font-size='12'>{panels}</svg>")
    return f"<div>{image(svg, 'curves of ' + ', '.join(shown_series))}</div>"


def _panel(name: str, line: Sequence[Tuple[float, float]], number: int) -> str:
    """One curve in its frame, with the ends of both scales."""
    left, top, right, bottom = 52, 24, 12, 22
    width, height = _PANEL[0] - left - right, _PANEL[1] - top - bottom
    xs, ys = [x for x, _ in line], [y for _, y in line]
    x_span, y_span = (max(xs) - min(xs)) or 1.0, (max(ys) - min(ys)) or 1.0
    points = [(left + width * (x - min(xs)) / x_span, top + height * (1 - (y - min(ys)) / y_span)) for x, y in line]
    colour = _COLOURS[number % len(_COLOURS)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    grey = "fill='#808080'"
    highest = f"<text x='{left - 5}' y='{top + 9}' text-anchor='end' {grey}>{max(ys):.3g}</text>"
    return (f"<g transform='translate({_PANEL[0] * number},0)'>"
            f"<text x='{left}' y='{top - 8}' fill='{colour}'>{escape(name)}: {ys[-1]:.4g}</text>"
            f"<rect x='{left}' y='{top}' width='{width}' height='{height}' fill='none' stroke='#a0a0a0'/>"
            f"{highest if max(ys) > min(ys) else ''}"
            f"<text x='{left - 5}' y='{top + height}' text-anchor='end' {grey}>{min(ys):.3g}</text>"
            f"<text x='{left}' y='{top + height + 15}' {grey}>epoch {min(xs):g}</text>"
            f"<text x='{left + width}' y='{top + height + 15}' text-anchor='end' {grey}>{max(xs):g}</text>"
            f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='2'/>"
            f"<circle cx='{points[-1][0]:.1f}' cy='{points[-1][1]:.1f}' r='3' fill='{colour}'/></g>")


def outline(lines: Iterable[Tuple[int, str, str]]) -> str:
    """A tree, given as depth, literal and cause of each line."""
    rows: List[str] = []
    for depth, literal, cause in lines:
        why = f" <span style='color:#808080'>&nbsp;{escape(cause)}</span>" if cause else ""
        rows.append(f"<div style='margin-left:{1.6 * depth:.1f}em;border-left:1px solid #a0a0a0;padding-left:0.6em;"
                    f"text-indent:0'>{code(literal, 'font-weight:bold')}{why}</div>")
    return f"<div style='line-height:1.5'>{''.join(rows)}</div>"
