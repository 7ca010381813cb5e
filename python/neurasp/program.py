"""Programs and exact questions about them. Nothing here needs torch or numpy."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Union

from . import _core
from .answers import Check, Gradient, Instances, Marginals, Model, Models
from .compiled import Compiled
from .errors import ProgramWarning, UsageError
from .explanation import Explanation
from .isolation import Isolation
from .lessons import LearningCheck, check_learning
from .numbers import How, Probability
from .options import Options, whole_number
from .queries import has_variables
from .texts import Source, core_observations, named_texts, network_outputs, observed

Outputs = Optional[Mapping[str, Mapping[Any, Any]]]
Observe = Union[None, str, Sequence[str]]


class Program:
    """An answer set program with neural and probabilistic rules.

    >>> rain = neurasp.Program("0.3 : rain. { umbrella } :- rain. wet :- rain, not umbrella.")
    >>> rain.probability(observe=":- not wet.")
    0.15
    >>> rain.query("rain", observe=":- not wet.")
    1.0

    With networks as keyword arguments (or ``networks={...}``) the program is a ``torch.nn.Module`` that can be trained
    through its rules; see :class:`neurasp.learning.NeuralProgram`. Without them, torch is never imported.

    Every question takes ``observe=`` (constraints, and facts or rules that belong to this question), ``values=`` for
    the holes ``{}`` of the observation, ``outputs=`` with the networks' outputs, and the keyword arguments that
    :class:`neurasp.Options` lists: engine, limits, a circuit folder.

    ``logits=("digit",)`` says that outputs of the network ``digit`` are raw scores. ``isolate=True`` grounds in a child
    process first, which Ctrl-C and ``time_limit=`` end at once, even in the middle of one step of the grounder.

    A program may be used by several threads at once.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> "Program":
        if cls is Program and (kwargs.get("networks") is not None or set(kwargs) - _SETTINGS):
            try:
                from .learning import NeuralProgram
            except ImportError as error:
                raise UsageError("a program with networks (or with arguments that no program has: is one misspelt?) "
                                 f"needs torch, which cannot be imported: {error}") from error
            return object.__new__(NeuralProgram)
        return object.__new__(cls)

    def __init__(self, text: Union[str, Sequence[str]], *, name: Union[None, str, Sequence[str]] = None,
                 constants: Optional[Mapping[str, Any]] = None, logits: Union[str, Sequence[str]] = (),
                 allow_script: bool = False, allow_include: bool = False, isolate: bool = False,
                 networks: None = None) -> None:
        self._read(Source(named_texts(text, name), {str(k): str(v) for k, v in (constants or {}).items()},
                          (logits,) if isinstance(logits, str) else tuple(logits), allow_script, allow_include,
                          isolate))

    def _read(self, source: Source) -> None:
        self._source = source
        self._core = source.read()
        self._reasoner = _core.Reasoner(self._core)
        self._isolation = Isolation(source) if source.isolate else None
        self._warned: Set[str] = set()

    @classmethod
    def from_file(cls, *paths: Union[str, "os.PathLike[str]"], **arguments: Any) -> "Program":
        """Reads one or several files together. ``arguments`` are those of :class:`Program`."""
        if not paths:
            raise UsageError("from_file() needs at least one path")
        texts = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
        return cls(texts, name=[os.fspath(path) for path in paths], **arguments)

    # Pickling keeps the text and reads it again.
    def __getstate__(self) -> Any:
        return {"_source": self._source}

    def __setstate__(self, state: Any) -> None:
        self._read(state["_source"])

    @property
    def text(self) -> str:
        """The program's text as it was given."""
        return "\n".join(text for _, text in self._source.texts)

    def __repr__(self) -> str:
        lines = [line for line in self.text.strip().splitlines() if line.strip()]
        first = lines[0].strip() if lines else ""
        more = f" ... ({len(lines)} lines)" if len(lines) > 1 else ""
        return f"<Program: {first}{more}>"

    # --- asking ---

    def _ask(self, observe: Observe, values: Any, queries: List[str], options: Options, each: bool = False,
             warn: bool = True) -> "_core.Question":
        for query in queries:
            if not isinstance(query, str):
                raise UsageError(f"a query is a text such as \"sum(3), not odd\", not {query!r}")
        texts = observed(observe, values)
        if self._isolation is not None:
            self._isolation.ground([(texts, queries)], options)
        question = self._reasoner.ask(core_observations(texts), queries, each, options.limits())
        if warn:
            self._warn(question)
        return question

    def _warn(self, question: "_core.Question") -> None:
        for text in question.rendered_warnings():
            if text not in self._warned:
                self._warned.add(text)
                warnings.warn(text, ProgramWarning, stacklevel=4)

    def _outputs(self, outputs: Any) -> "_core.Outputs":
        return network_outputs(outputs, self._source.logits)

    def probability(self, *, observe: Observe = None, values: Any = None, outputs: Outputs = None,
                    **options: Any) -> Probability:
        """P(O): the probability of the observation; without one, that there is a stable model.

        >>> dice = neurasp.Program("0.25 : die=1 | 0.25 : die=2 | 0.5 : die=more. low :- die(1). low :- die(2).")
        >>> dice.probability(observe=":- not low.")
        0.5
        """
        asked = Options.of(options, "probability")
        data = json.loads(self._ask(observe, values, [], asked)
                          .probability(self._outputs(outputs), asked.settings(), asked.limits()))
        how = How(data["how"])
        if "estimate" in data:
            return _estimate(data["estimate"]["probability"], how) or Probability(0.0)
        return Probability.of(data, how)

    def query(self, query: str, *, observe: Observe = None, values: Any = None, outputs: Outputs = None,
              each: Optional[bool] = None, **options: Any) -> Any:
        """P(query | O), or None if the observation is impossible. Without an observation, O is that there is a stable
        model, which is certain in a coherent program.

        With variables in the query: one answer for each instance that can hold, in :class:`neurasp.Instances`;
        ``each=False`` asks whether some instance holds.

        >>> coins = neurasp.Program("coin(1..2). 0.5 : heads(X) :- coin(X).")
        >>> coins.query("heads(1), not heads(2)")
        0.25
        >>> coins.query("heads(X)")
        heads(1)  0.5
        heads(2)  0.5
        >>> coins.query("heads(X)", each=False)
        0.75
        """
        asked = Options.of(options, "query")
        wanted = has_variables(query) if each is None else each
        data = json.loads(self._ask(observe, values, [query], asked, wanted)
                          .probability(self._outputs(outputs), asked.settings(), asked.limits()))
        how = How(data["how"])
        numbers = query_numbers(data, how)
        return Instances(data, numbers) if wanted else numbers[query]

    def ask_each(self, observe: Observe, queries: List[str], asked: Options) -> Dict[str, Any]:
        """The document about several queries at once, each instance for itself and without warnings."""
        question = self._ask(observe, None, queries, asked, each=True, warn=False)
        return dict(json.loads(question.probability(self._outputs(None), asked.settings(), asked.limits())))

    def marginals(self, *, observe: Observe = None, values: Any = None, outputs: Outputs = None,
                  **options: Any) -> Marginals:
        """The probability of every shown atom and of every outcome, given the observation."""
        asked = Options.of(options, "marginals")
        return Marginals(json.loads(self._ask(observe, values, [], asked)
                                    .marginals(self._outputs(outputs), asked.settings(), asked.limits())))

    def map(self, *, observe: Observe = None, values: Any = None, outputs: Outputs = None, k: int = 1,
            ties: bool = False, **options: Any) -> Models:
        """The ``k`` most probable stable models; with ``ties``, also those as probable as the last."""
        k = _count("k", k)
        asked = Options.of(options, "map")
        return Models(json.loads(self._ask(observe, values, [], asked)
                                 .most_probable(self._outputs(outputs), k, ties, asked.settings(), asked.limits())))

    def models(self, *, observe: Observe = None, values: Any = None, outputs: Outputs = None,
               **options: Any) -> Iterator[Model]:
        """Stable models, one after the other as the solver finds them; take as many as you like."""
        asked = Options.of(options, "models")
        stream = self._ask(observe, values, [], asked).models(self._outputs(outputs), asked.settings(), asked.limits())
        while True:
            model = stream.next()
            if model is None:
                return
            yield Model(json.loads(model))

    def sample(self, count: int = 1, *, observe: Observe = None, values: Any = None, outputs: Outputs = None,
               **options: Any) -> Models:
        """Independent samples of stable models given the observation; ``seed=`` makes them reproducible."""
        count = _count("count", count)
        asked = Options.of(options, "sample")
        return Models(json.loads(self._ask(observe, values, [], asked)
                                 .sample(self._outputs(outputs), count, asked.settings(), asked.limits())))

    def gradient(self, *, observe: Observe = None, values: Any = None, outputs: Outputs = None,
                 convention: str = "plain", **options: Any) -> Gradient:
        """The derivatives of log P(O) by every outcome's probability; ``convention`` is "plain" or "proposition1"."""
        if convention not in ("plain", "proposition1"):
            raise UsageError(f"convention is 'plain' or 'proposition1', not {convention!r}")
        asked = Options.of(options, "gradient")
        question = self._ask(observe, values, [], asked)
        return Gradient(json.loads(question.gradient(self._outputs(outputs), convention == "proposition1",
                                                     asked.settings(), asked.limits())))

    def explain(self, query: str, *, observe: Observe = None, values: Any = None, outputs: Outputs = None,
                k: int = 3, **options: Any) -> Explanation:
        """Why the query is as probable as it is: up to ``k`` reasons, and the likeliest models with and without it."""
        k = _count("k", k)
        asked = Options.of(options, "explain")
        question = self._ask(observe, values, [query], asked)
        return Explanation(json.loads(question.explain(self._outputs(outputs), k, asked.settings(), asked.limits())))

    def check(self, *, observe: Observe = None, values: Any = None, outputs: Outputs = None, coherence: bool = False,
              **options: Any) -> Check:
        """What became of the program: its rules, random variables and diagnostics.

        With ``coherence``, whether every total choice has a stable model; with ``outputs``, whether the networks' most
        probable outcomes agree with program and observation.
        """
        asked = Options.of(options, "check")
        question = self._ask(observe, values, [], asked, warn=False)
        given = None if outputs is None else self._outputs(outputs)
        return Check(json.loads(question.check(coherence, given, asked.limits())))

    def check_learning(self, *, observe: Observe, values: Any = None, labels: Any = None, optimal: bool = False,
                       choices: int = 20_000, steps: int = 200_000, **options: Any) -> LearningCheck:
        """What examples can teach, before anything is trained: which are impossible, which teach nothing, which networks
        and outcomes never matter, and which reasoning shortcuts there are (docs/shortcuts.md).

        >>> xor = neurasp.Program("img(a). img(b). nn(bit(1,P), [0,1]) :- img(P). "
        ...                       "xor((X+Y) \\\\ 2) :- bit(0,a,X), bit(0,b,Y).")
        >>> xor.check_learning(observe=":- not xor({}).", values=[0, 1, 2]).shortcuts
        2 maps, the identity included
          bit: 0 and 1 can be swapped

        Examples are one observation with ``values`` for each example, or a list of observations. ``labels`` are those of
        :func:`neurasp.fit`, for all examples: numbers of true outcomes, by term, or by network and term; None where one is
        not known. ``choices`` and ``steps`` limit the search for shortcuts; of the options, only limits are used.
        """
        asked = Options.of(options, "check_learning")
        for name, value in (("choices", choices), ("steps", steps)):
            whole_number(name, value)
        return check_learning(self._core, observe, values, labels, optimal, choices, steps, asked)

    def ground(self, *, observe: Observe = None, values: Any = None, aspif: bool = False, **options: Any) -> str:
        """The clingo program that is made of this one; with ``aspif``, the ground program in clingo's format."""
        asked = Options.of(options, "ground")
        if not aspif:
            return str(self._core.clingo_text())
        return str(self._ask(observe, values, [], asked, warn=False).aspif())

    def compile(self, *, observe: Observe = None, values: Any = None, smooth: bool = False,
                **options: Any) -> Compiled:
        """The observation as a circuit. Raises :class:`neurasp.NoCircuit` where there is none."""
        asked = Options.of(options, "compile")
        question = self._ask(observe, values, [], asked)
        return Compiled(question.compile(asked.optimal, smooth, os.fspath(asked.circuit_folder), asked.limits()),
                        self._source.logits)

    def forget(self) -> None:
        """Drops what was prepared for questions, to save memory."""
        self._reasoner.forget()


def _count(name: str, value: Any) -> int:
    return whole_number(name, value, least=1) or 1


def _estimate(data: Optional[Mapping[str, float]], how: How) -> Optional[Probability]:
    """The mean of samples, between the ends of its confidence interval."""
    if data is None:
        return None
    return Probability(data["value"], None, data["lower"], data["upper"], False, how)


def query_numbers(data: Mapping[str, Any], how: How) -> Dict[str, Optional[Probability]]:
    """P(q | O) of each query of an answer."""
    if "estimate" in data:
        return {answer["query"]: _estimate(answer["probability"], how) for answer in data["estimate"]["queries"]}
    return {answer["query"]: None if answer["probability"] is None else Probability.of(answer, how)
            for answer in data["queries"]}


_SETTINGS = {"name", "constants", "logits", "allow_script", "allow_include", "isolate", "networks", "text"}
