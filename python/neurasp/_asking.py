"""Questions about the inputs of networks: each example's outputs are computed, then asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple

import torch

from . import _core
from ._inputs import Inputs, batch_size, by_term, observation_keys
from ._networks import Networks, back, on_cpu
from ._steps import Plan, SharedLogProbability, Step
from .errors import UsageError
from .options import Options
from .program import Outputs, Program
from .queries import has_variables, literals, without_holes


class AskingInputs(Program):
    """The part of :class:`neurasp.NeuralProgram` that asks."""

    if TYPE_CHECKING:
        networks: Networks
        rules: torch.nn.ParameterList
        seed: int
        _shapes: Dict[str, Tuple[int, int]]
        _steps: int
        _training: _core.Training

        def _project_rules(self) -> None: ...
        def _rule_numbers(self) -> torch.Tensor: ...
        def _observation_ids(self, keys: List[Any]) -> List[int]: ...
        def _plan_for(self, ids: List[int], inputs: Dict[Any, Any]) -> Plan: ...

    def query(self, query: str, inputs: Optional[Inputs] = None, *, observe: Any = None,  # type: ignore[override]
              values: Any = None, outputs: Outputs = None, each: Optional[bool] = None, **options: Any) -> Any:
        """P(query | O).

        With inputs: a differentiable tensor, one row for each example and one column for each instance of the query,
        whose attribute ``instances`` names the columns. A row whose observation is impossible is NaN.
        """
        if inputs is None:
            return Program.query(self, query, observe=observe, values=values, outputs=outputs, each=each, **options)
        if outputs is not None:
            raise UsageError("give inputs for the networks, or outputs in their place, not both")
        asked = Options.of(options, "query")
        self._project_rules()
        by_terms = by_term(inputs)
        given = observation_keys("" if observe is None else observe, values, batch_size(by_terms))
        instances = self._instances(query, given, has_variables(query) if each is None else each, asked)
        keys = list(given)
        for instance in instances:
            constraints = " ".join(f":- not {literal}." for literal in literals(instance))
            keys += [(f"{text}\n{constraints}" if filled is None else f"{text}\n{without_holes(constraints)}", filled)
                     for text, filled in given]
        ids = self._observation_ids(keys)
        plan = self._plan_for(ids, by_terms)
        rows = self.networks.outputs(self._shapes, plan.terms, by_terms)
        size = len(given)
        step = Step(plan, ids, size, self.seed, self._steps, members=list(range(size)) * (len(instances) + 1))
        logs = SharedLogProbability.apply(step, self._rule_numbers(), *on_cpu(rows)).view(len(instances) + 1, size)
        result = back(torch.exp(logs[1:] - logs[:1]).transpose(0, 1), rows)
        result.instances = instances  # type: ignore[attr-defined]
        return result

    def _instances(self, query: str, observations: List[Any], each: bool, options: Options) -> List[str]:
        """The instances of the query that some of the observations leave possible, in the order of the first."""
        found: Dict[str, None] = {}
        for text, values in dict.fromkeys(observations):
            question = self._ask(text or None, values, [query], options, each)
            found.update(dict.fromkeys(question.queries()))
        return list(found)

    def _each(self, ask: Callable[..., Any], inputs: Optional[Inputs], observe: Any, values: Any, outputs: Outputs,
              options: Dict[str, Any]) -> Any:
        """Asks about every example of the inputs, or about given outputs."""
        if inputs is None:
            return ask(observe=observe, values=values, outputs=outputs, **options)
        if outputs is not None:
            raise UsageError("give inputs for the networks, or outputs in their place, not both")
        by_terms = by_term(inputs)
        keys = observation_keys("" if observe is None else observe, values, batch_size(by_terms))
        answers = []
        for example, (text, filled) in enumerate(keys):
            own = {key: _example(block, example) for key, block in by_terms.items()}
            answers.append(ask(observe=text or None, values=filled,
                               outputs=self._example_outputs(text, filled, own), **options))
        return answers[0] if len(keys) == 1 else answers

    def _example_outputs(self, text: str, values: Any, inputs: Dict[Any, Any]) -> "_core.Outputs":
        question = self._ask(text or None, values, [], Options())
        called: Dict[str, Dict[str, None]] = {name: {} for name in self._shapes}
        for _, _, _, network, terms, _, _ in question.variables():
            if network:
                called.setdefault(network, {})[terms] = None
        for name, terms_of in called.items():
            for term in terms_of:
                if term not in inputs and (name, term) not in inputs:
                    raise UsageError(f"there is no input for '{term}', which the network '{name}' is called for")
        with torch.no_grad():
            rows = self.networks.outputs(self._shapes, [list(called[name]) for name in self._shapes], inputs)
        result = _core.Outputs()
        for name, output in zip(self._shapes, rows):
            for term, row in zip(called[name], output.double().tolist()):
                result.set(name, term, row)
        return result

    def _outputs(self, outputs: Any) -> "_core.Outputs":
        result = outputs if isinstance(outputs, _core.Outputs) else Program._outputs(self, outputs)
        for (_, _, _, number), rule in zip(self._training.rules(), self.rules):
            result.set_rule(number, _core.project_to_simplex(rule.tolist(), 0.0))
        return result

    def probability(self, inputs: Optional[Inputs] = None, *, observe: Any = None,  # type: ignore[override]
                    values: Any = None, outputs: Outputs = None, **options: Any) -> Any:
        return self._each(super().probability, inputs, observe, values, outputs, options)

    def marginals(self, inputs: Optional[Inputs] = None, *, observe: Any = None,  # type: ignore[override]
                  values: Any = None, outputs: Outputs = None, **options: Any) -> Any:
        return self._each(super().marginals, inputs, observe, values, outputs, options)

    def map(self, inputs: Optional[Inputs] = None, *, observe: Any = None, values: Any = None,  # type: ignore[override]
            outputs: Outputs = None, **options: Any) -> Any:
        return self._each(super().map, inputs, observe, values, outputs, options)

    def models(self, inputs: Optional[Inputs] = None, *, observe: Any = None,  # type: ignore[override]
               values: Any = None, outputs: Outputs = None, **options: Any) -> Any:
        return self._each(super().models, inputs, observe, values, outputs, options)

    def sample(self, count: int = 1, inputs: Optional[Inputs] = None, *, observe: Any = None,  # type: ignore[override]
               values: Any = None, outputs: Outputs = None, **options: Any) -> Any:
        return self._each(super().sample, inputs, observe, values, outputs, {"count": count, **options})

    def gradient(self, inputs: Optional[Inputs] = None, *, observe: Any = None,  # type: ignore[override]
                 values: Any = None, outputs: Outputs = None, **options: Any) -> Any:
        return self._each(super().gradient, inputs, observe, values, outputs, options)

    def explain(self, query: str, inputs: Optional[Inputs] = None, *, observe: Any = None,  # type: ignore[override]
                values: Any = None, outputs: Outputs = None, **options: Any) -> Any:
        return self._each(super().explain, inputs, observe, values, outputs, {"query": query, **options})


def _example(block: Any, number: int) -> Any:
    """One example of an input, still with a batch dimension."""
    if isinstance(block, (tuple, list)):
        return tuple(part[number:number + 1] for part in block)
    return block[number:number + 1]
