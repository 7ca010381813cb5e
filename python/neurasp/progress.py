"""Progress bars: tqdm's where it is installed, else a line of text."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional

Report = Callable[..., None]


@contextmanager
def bar(total: int, wanted: Any, title: str) -> Iterator[Optional[Report]]:
    """A callback for the core's progress reports, or None. ``wanted`` is a truth value or a callback of one's own."""
    if callable(wanted):
        yield wanted
    elif not wanted or total == 0:
        yield None
    else:
        show = _tqdm(total, title) or _line(total, title)

        def report(phase: str, done: int, *rest: Any) -> None:
            if phase == "preparing":
                show(done, False)

        try:
            yield report
            show(total, True)
        except BaseException:
            show(None, True)
            raise


def _tqdm(total: int, title: str) -> Optional[Report]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    shown = tqdm(total=total, desc=title)

    def show(done: Optional[int], last: bool) -> None:
        if done is not None:
            shown.n = done
        shown.refresh()
        if last:
            shown.close()

    return show


def _line(total: int, title: str) -> Report:
    def show(done: Optional[int], last: bool) -> None:
        if done is not None:
            sys.stderr.write(f"\r{title}: {done} of {total}")
        if last:
            sys.stderr.write("\n")
        sys.stderr.flush()

    return show
