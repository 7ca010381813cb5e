"""What a training run shows while it runs."""

from __future__ import annotations

import sys
import time
from typing import Any, Iterable, Iterator, Sized

from .progress import bar

_SECONDS = 0.5  # between two looks at the batches of an epoch in a notebook


class Display:
    """A line for each epoch, and where somebody looks on a bar for the current one; in a notebook, the curve so far."""

    def __init__(self, wanted: bool) -> None:
        self._handle: Any = None
        self._wanted = wanted
        self._notebook = wanted and _in_a_notebook()
        self._page = ""

    def batches(self, loader: Iterable[Any], epoch: int) -> Iterator[Any]:
        """The loader's batches, counted where they can be seen."""
        total = len(loader) if isinstance(loader, Sized) else 0
        drawn = time.monotonic()
        with bar(total, self._wanted and not self._notebook and sys.stderr.isatty(), f"epoch {epoch}",
                 leave=False) as report:
            for number, batch in enumerate(loader, 1):
                yield batch
                if report is not None:
                    report("preparing", number)
                if self._notebook and time.monotonic() - drawn > _SECONDS:
                    drawn = time.monotonic()
                    self._draw(f"{self._page}<p>epoch {epoch}: batch {number}{f' of {total}' if total else ''}</p>")

    def show(self, history: Any, epochs: int) -> None:
        if not self._wanted:
            return
        if not self._notebook:
            print(history[-1], flush=True)
            return
        last = history[-1]
        self._page = history._repr_html_()
        self._draw(f"{self._page}<p>epoch {last.number} of {epochs}, {last.seconds:.2g} s</p>")

    def end(self, history: Any) -> None:
        """Leaves in the notebook what does not change from run to run: no times."""
        if self._handle is not None:
            self._draw(history._repr_html_())

    def _draw(self, page: str) -> None:
        from IPython.display import HTML, display

        if self._handle is None:
            self._handle = display(HTML(page), display_id=True)
        else:
            self._handle.update(HTML(page))


def _in_a_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return type(get_ipython()).__name__ == "ZMQInteractiveShell"
