"""NeurASP: answer set programs with neural networks, exact probabilities, and training through rules."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

from . import _core
from .answers import Answer, Check, Gradient, Instances, Marginals, Model, Models
from .compiled import Compiled, Drawing
from .confusion import Confusion
from .errors import Error, InputError, LimitError, NoCircuit, ProgramWarning, UnavailableError, UsageError
from .explanation import Derivation, Explanation, Reason
from .lessons import LearningCheck, Shortcuts
from .numbers import How, Probability
from .options import Options
from .program import Program

if TYPE_CHECKING:
    from .history import Epoch, History
    from .learning import NeuralProgram, logits
    from .original import NeurASP
    from .problog import ProblogProgram, from_problog
    from .training import collate, fit

__version__: str = _core.version

__all__ = ["Answer", "Check", "Compiled", "Confusion", "Derivation", "Drawing", "Epoch", "Error", "Explanation",
           "Gradient", "History", "How", "InputError", "Instances", "LearningCheck", "LimitError", "Marginals",
           "Model", "Models", "NeurASP", "NeuralProgram", "NoCircuit", "Options", "Probability", "ProblogProgram",
           "Program", "ProgramWarning", "Reason", "Shortcuts", "UnavailableError", "UsageError", "collate", "fit",
           "from_problog", "logits"]

# Imported when they are first used: all but those of problog need torch.
_LATER = {"NeuralProgram": "learning", "logits": "learning", "Epoch": "history", "History": "history",
          "collate": "training", "fit": "training", "NeurASP": "original", "ProblogProgram": "problog",
          "from_problog": "problog"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'neurasp' has no attribute '{name}'")
    return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)


def __dir__() -> List[str]:
    return sorted([*globals(), *_LATER])
