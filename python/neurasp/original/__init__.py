"""The interface of the Python original: ``from neurasp import NeurASP`` and ``from mvpp import MVPP``.

Scripts for the original run unchanged; this package reasons for them. ``docs/drop-in.md`` lists every difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .mvpp import MVPP

if TYPE_CHECKING:
    from .interface import NeurASP

__all__ = ["MVPP", "NeurASP"]


def __getattr__(name: str) -> Any:
    # MVPP alone does not need torch.
    if name == "NeurASP":
        from .interface import NeurASP

        return NeurASP
    raise AttributeError(f"module 'neurasp.original' has no attribute '{name}'")
