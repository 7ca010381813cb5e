"""What notebooks show: tables with bars, and curves. Plain HTML and SVG, every text escaped."""

from __future__ import annotations

from html import escape
from typing import Any, List, Mapping, Sequence, Tuple

MOST_ROWS = 200
_BAR = "display:inline-block;height:0.8em;background:#4878a8;vertical-align:middle"
_COLOURS = ("#4878a8", "#c0603a", "#4f9a5b", "#8460a8", "#a08030")


def shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def table(columns: Sequence[str], rows: Sequence[Tuple[Any, ...]], mark: str = "") -> str:
    """A table; a column called "probability" gets bars. ``mark`` says that the answer is not exact."""
    head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in columns)
    lines = []
    for row in rows[:MOST_ROWS]:
        cells = []
        for name, value in zip(columns, row):
            bar = ""
            if name == "probability" and isinstance(value, float) and 0.0 <= value <= 1.0:
                bar = f" <span style='{_BAR};width:{round(120 * value)}px'></span>"
            cells.append(f"<td style='text-align:left'>{escape(shown(value))}{bar}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    more = f"<p>... {len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
    note = f"<p><b>{escape(mark)}</b></p>" if mark else ""
    return f"{note}<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"


def curves(series: Mapping[str, Sequence[Tuple[float, float]]], width: int = 520, height: int = 220) -> str:
    """Lines over epochs, each with its own scale from its least to its greatest value, as one SVG."""
    left, top, right, bottom = 10, 10, 190, 24
    points = [point for line in series.values() for point in line]
    if not points:
        return ""
    x_least, x_most = min(x for x, _ in points), max(x for x, _ in points)
    x_span = (x_most - x_least) or 1.0
    inner_width, inner_height = width - left - right, height - top - bottom
    parts = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' font-family='sans-serif' "
             f"font-size='12'><rect x='{left}' y='{top}' width='{inner_width}' height='{inner_height}' fill='none' "
             "stroke='#bbb'/>"]
    for number, (name, line) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        least, most = min(y for _, y in line), max(y for _, y in line)
        span = (most - least) or 1.0
        path = " ".join(f"{left + inner_width * (x - x_least) / x_span:.1f},"
                        f"{top + inner_height * (1 - (y - least) / span):.1f}" for x, y in line)
        parts.append(f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='2'/>")
        parts.append(f"<text x='{width - right + 8}' y='{top + 14 + 18 * number}' fill='{colour}'>"
                     f"{escape(name)} {line[-1][1]:.4g}</text>")
    parts.append(f"<text x='{left}' y='{height - 8}' fill='#555'>epoch {x_least:g} to {x_most:g}</text></svg>")
    return "".join(parts)


def tree(label: str, children: List[str]) -> str:
    """A node of a nested list; the texts of the children are HTML."""
    if not children:
        return f"<li>{label}</li>"
    return f"<li>{label}<ul>{''.join(children)}</ul></li>"
