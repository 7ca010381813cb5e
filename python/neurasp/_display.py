"""What a training run shows while it runs."""

from __future__ import annotations

import sys
from typing import Any, Iterable, Iterator, Sized

from .progress import bar


class Display:
    """A line for each epoch; in a notebook, the curve so far. Where somebody looks on, a bar for the current epoch."""

    def __init__(self, wanted: bool) -> None:
        self._handle: Any = None
        self._wanted = wanted
        self._notebook = wanted and _in_a_notebook()

    def batches(self, loader: Iterable[Any], epoch: int) -> Iterator[Any]:
        """The loader's batches, counted in a bar that goes away with the last of them."""
        total = len(loader) if isinstance(loader, Sized) else 0
        watched = self._wanted and (self._notebook or sys.stderr.isatty())
        with bar(total, watched, f"epoch {epoch}", leave=False) as report:
            for number, batch in enumerate(loader, 1):
                yield batch
                if report is not None:
                    report("preparing", number)

    def show(self, history: Any) -> None:
        if not self._wanted:
            return
        if not self._notebook:
            print(history[-1], flush=True)
            return
        from IPython.display import HTML, display

        page = HTML(history._repr_html_())
        if self._handle is None:
            self._handle = display(page, display_id=True)
        else:
            self._handle.update(page)


def _in_a_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return type(get_ipython()).__name__ == "ZMQInteractiveShell"
