"""The module that the original calls ``mvpp``: see :mod:`neurasp.original`."""

from neurasp.original.mvpp import MVPP

__all__ = ["MVPP"]
