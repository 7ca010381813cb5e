"""Compiled questions: circuits that can be drawn, written, evaluated, and turned into torch modules."""

from __future__ import annotations

import json
from array import array
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _core
from .errors import UnavailableError
from .texts import network_outputs


class Drawing:
    """A drawing in Graphviz's language; notebooks show it as a picture where Graphviz is installed."""

    def __init__(self, dot: str) -> None:
        self.dot = dot

    def to_svg(self) -> str:
        """The picture as SVG; needs the program ``dot`` (Debian: package graphviz)."""
        import subprocess

        try:
            made = subprocess.run(["dot", "-Tsvg"], input=self.dot, capture_output=True, text=True, check=True)
        except FileNotFoundError as error:
            raise UnavailableError("drawings need Graphviz's program 'dot'; its text is in .dot") from error
        except subprocess.CalledProcessError as error:
            raise UnavailableError(f"dot could not draw this: {error.stderr.strip()}") from error
        return made.stdout[made.stdout.index("<svg"):]

    def save(self, path: str) -> None:
        """Writes the text for Graphviz, or the picture if the name ends in .svg."""
        text = self.to_svg() if str(path).endswith(".svg") else self.dot
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        from .notebook import image

        try:
            svg = self.to_svg()
        except UnavailableError:
            return {"text/plain": self.dot}
        return {"image/svg+xml": svg, "text/html": image(svg, "drawing"), "text/plain": self.dot}

    def __repr__(self) -> str:
        return f"<Drawing: {self.dot.count(chr(10))} lines for Graphviz>"


class Compiled:
    """A question as an arithmetic circuit: sums and products of the outcomes' probabilities."""

    def __init__(self, core: "_core.Compiled", logits: Sequence[str] = ()) -> None:
        self._core = core
        self._logits = logits
        self._summary: Dict[str, Any] = json.loads(core.summary())

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return int(self._summary["nodes"])

    @property
    def edges(self) -> int:
        """The number of edges."""
        return int(self._summary["edges"])

    @property
    def variables(self) -> List[Tuple[str, List[str]]]:
        """The random variables that the circuit depends on: name and outcome atoms, in the order of its inputs."""
        return [(name, atoms) for name, atoms, *_ in self._core.variables()]

    @property
    def inputs(self) -> int:
        """The number of outcomes of all variables."""
        return int(self._core.input_count())

    @property
    def choice_count(self) -> Optional[int]:
        """How many total choices satisfy the observation; None where choices do not determine the model."""
        count = self._core.choice_count()
        return None if count is None else int(count)

    def weights(self, outputs: Optional[Mapping[str, Mapping[Any, Any]]] = None) -> List[float]:
        """The numbers of the circuit's inputs for these network outputs."""
        numbers: List[float] = self._core.weights(network_outputs(outputs, self._logits))
        return numbers

    def log_probability(self, outputs: Optional[Mapping[str, Mapping[Any, Any]]] = None) -> float:
        """log P(O) for these network outputs."""
        weights = array("d", self.weights(outputs))
        result = array("d", [0.0])
        self._core.evaluate_double(weights.buffer_info()[0], 1, result.buffer_info()[0], 0)
        return result[0]

    def to_nnf(self) -> str:
        """The circuit in the usual nnf text, one literal for each outcome."""
        return str(self._core.to_nnf())

    def to_text(self) -> str:
        """The circuit in the project's own format."""
        return str(self._core.to_text())

    def draw(self) -> Drawing:
        """The circuit as a drawing."""
        return Drawing(self._core.to_dot())

    def to_torch(self, semiring: str = "log") -> Any:
        """The circuit as a ``torch.nn.Module``: see :class:`neurasp.circuit_module.CircuitModule`."""
        from .circuit_module import CircuitModule

        return CircuitModule(self, semiring)

    def to_dict(self) -> Dict[str, Any]:
        """Sizes and kinds, as the command's ``compile`` reports them."""
        return dict(self._summary)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Dict[str, str]:
        if self.nodes > 200:
            return {"text/plain": repr(self)}
        bundle = self.draw()._repr_mimebundle_()
        bundle["text/plain"] = repr(self)
        return bundle

    def __repr__(self) -> str:
        count = len(self.variables)
        variables = f"{count} random variable{'' if count == 1 else 's'}"
        return f"<Compiled: {self.nodes} nodes, {self.edges} edges, {variables}>"
