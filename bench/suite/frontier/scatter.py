"""The picture of the frontier: our time against that of the best other system, one dot for each instance."""

import math
import re

from chart import Drawing, finish, log_scale, short
from results import lines

from .catalogue import FAMILIES, GROUPS

SIZE, LEFT, TOP = 470, 74, 96
MARGIN = 46  # for instances that one side does not answer
FASTEST = 0.01  # processor seconds below this are drawn as this


def picture(results):
    found = [line for line in lines(results, "frontier") if line["family"] in FAMILIES]
    if not found:
        return None
    limit = max(line["limit_s"] for line in found)
    drawing = Drawing(LEFT + SIZE + MARGIN + 170, "Our circuits and the best of other systems")
    drawing.legend(16, 26, GROUPS)
    top = 10 ** math.ceil(math.log10(limit) - 1e-9)
    x = log_scale([FASTEST, top], LEFT, LEFT + SIZE)
    y = log_scale([FASTEST, top], TOP + MARGIN + SIZE, TOP + MARGIN)
    draw_axes(drawing, x, y, limit)
    for number, line in enumerate(found):
        draw_dot(drawing, x, y, line, number)
    answered = [line for line in found if line["seconds"]]
    compared = [line for line in answered if line["peer_seconds"]]
    faster = sum(line["seconds"] < line["peer_seconds"] for line in compared)
    foot = (f"{len(found)} instances: we answer {len(answered)}, others {sum(bool(line['peer_seconds']) for line in found)}, "
            f"both {len(compared)}; of these we are faster on {faster}. Dashed: equal; threefold.")
    return finish(drawing, TOP + SIZE + MARGIN + 62, foot)


def draw_axes(drawing, x, y, limit):
    right, bottom = LEFT + SIZE, TOP + MARGIN + SIZE
    drawing.box(LEFT, TOP, SIZE + MARGIN, MARGIN, "band", f"we do not answer within {limit} s")
    drawing.box(right, TOP, MARGIN, SIZE + MARGIN, "band", "no other system answers")
    drawing.text(LEFT, TOP - 16, f"neurasp, s of processor time (limit {limit} s)", kind="title")
    for tick in x.ticks:
        drawing.line(x(tick), TOP, x(tick), bottom)
        drawing.text(x(tick), bottom + 18, short(tick), anchor="middle", kind="soft")
        drawing.line(LEFT, y(tick), right + MARGIN, y(tick))
        drawing.text(LEFT - 8, y(tick) + 4, short(tick), anchor="end", kind="soft")
    drawing.text(LEFT - 8, TOP + MARGIN / 2 + 4, "none", anchor="end", kind="soft")
    drawing.text(right + MARGIN / 2 + 10, bottom + 18, "none", anchor="middle", kind="soft")
    drawing.text(LEFT + SIZE / 2, bottom + 38, "best other system, s of processor time", anchor="middle")
    drawing.text(right - 8, bottom - 10, "neurasp is faster", anchor="end", kind="soft")
    drawing.text(LEFT + 8, TOP + MARGIN + 18, "the other is faster", kind="soft")
    low, high = x.low, x.high
    for factor in (1 / 3, 1, 3):  # ours = factor * theirs
        begin, end = max(low, low / factor), min(high, high / factor)
        drawing.line(x(begin), y(begin * factor), x(end), y(end * factor), "axis", ' stroke-dasharray="4 4"')


def draw_dot(drawing, x, y, line, number):
    """Those at the border are spread a little, so that they can be told apart."""
    spread = (number * 7 % 31 - 15) * MARGIN / 42
    ours, theirs = line["seconds"], line["peer_seconds"]
    across = x(min(max(theirs, FASTEST), x.high)) if theirs else LEFT + SIZE + MARGIN / 2 + spread
    up = y(min(max(ours, FASTEST), y.high)) if ours else TOP + MARGIN / 2 + spread
    hint = (f"{line['name']}: {short(ours) + ' s' if ours else 'none'}, "
            f"{line['peer'] + ' ' + short(theirs) + ' s' if theirs else 'no other system'}")
    drawing.marker(across, up, GROUPS.index(FAMILIES[line["family"]].group), hint, hollow=not (ours and theirs))


def cell(line):
    """`4x4: 0.03 / aspmc 2.85`: the end of the name, ours, the best other system."""
    name = re.sub(r"_s\d+(_conj)?$", r"\1", line["name"].removeprefix(line["family"] + "_"))
    ours = f"{line['seconds']:.2f}" if line["seconds"] else "none"
    theirs = f"{line['peer']} {line['peer_seconds']:.2f}" if line["peer_seconds"] else "none"
    return f"{name}: {ours} / {theirs}"


def family_table(found):
    """A row for each family."""
    rows = []
    for name, family in FAMILIES.items():
        cells = [cell(line) for line in found if line["family"] == name]
        if cells:
            rows.append([family.title, "; ".join(cells)])
    return ["family", "instance: neurasp / best other system, processor seconds"], rows
