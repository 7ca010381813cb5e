"""Progress bars: tqdm's where it is installed, else a line of text."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

Report = Callable[..., None]


@contextmanager
def bar(total: int, wanted: Any, title: str, leave: bool = True) -> Iterator[Optional[Report]]:
    """A callback for the core's progress reports, or None. ``wanted`` is a truth value or a callback of one's own;
    without ``leave``, the bar disappears when it is full."""
    if callable(wanted):
        yield wanted
    elif not wanted or total == 0:
        yield None
    else:
        show = _tqdm(total, title, leave) or _line(total, title, leave)

        def report(phase: str, done: int, *rest: Any) -> None:
            if phase == "preparing":
                show(done, False)

        try:
            yield report
            show(total, True)
        except BaseException:
            show(None, True)
            raise


def _tqdm(total: int, title: str, leave: bool) -> Optional[Report]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    shown = tqdm(total=total, desc=title, leave=leave)

    def show(done: Optional[int], last: bool) -> None:
        if done is not None:
            shown.n = done
        shown.refresh()
        if last:
            shown.close()

    return show


def _line(total: int, title: str, leave: bool) -> Report:
    def show(done: Optional[int], last: bool) -> None:
        if done is not None:
            sys.stderr.write(f"\r{title}: {done} of {total}")
        if last:
            sys.stderr.write("\n" if leave else "\r\033[K")
        sys.stderr.flush()

    return show
