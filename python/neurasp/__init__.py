"""NeurASP: answer set programs with neural networks, exact probabilities, and training through rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

from . import _core
from .answers import Answer, Check, Gradient, Instances, Marginals, Model, Models
from .compiled import Compiled, Drawing
from .errors import Error, InputError, LimitError, NoCircuit, ProgramWarning, UnavailableError, UsageError
from .explanation import Derivation, Explanation, Reason
from .numbers import How, Probability
from .options import Options
from .problog import ProblogProgram, from_problog
from .program import Program

if TYPE_CHECKING:
    from .learning import NeuralProgram, logits
    from .original import NeurASP
    from .training import Epoch, History, collate, fit

__version__: str = _core.version

__all__ = ["Answer", "Check", "Compiled", "Derivation", "Drawing", "Epoch", "Error", "Explanation", "Gradient",
           "History", "How", "InputError", "Instances", "LimitError", "Marginals", "Model", "Models", "NeurASP",
           "NeuralProgram", "NoCircuit", "Options", "Probability", "ProblogProgram", "Program", "ProgramWarning",
           "Reason", "UnavailableError", "UsageError", "collate", "fit", "from_problog", "logits"]

_LEARNING = ("NeuralProgram", "logits")
_TRAINING = ("Epoch", "History", "collate", "fit")
_ORIGINAL = ("NeurASP",)


def __getattr__(name: str) -> Any:
    # Names that need torch are imported when they are first used.
    if name in _LEARNING:
        from . import learning

        return getattr(learning, name)
    if name in _TRAINING:
        from . import training

        return getattr(training, name)
    if name in _ORIGINAL:
        from . import original

        return getattr(original, name)
    raise AttributeError(f"module 'neurasp' has no attribute '{name}'")


def __dir__() -> List[str]:
    return sorted([*globals(), *_LEARNING, *_TRAINING, *_ORIGINAL])
