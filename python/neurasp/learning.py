"""Programs with networks: a torch module whose forward pass is the loss.

Every distinct observation is grounded and compiled to a circuit once, when it is first met. A step then runs each
network once on all of its inputs and hands the outputs' addresses to the C++ core, which returns log P(O) of every
example together with the derivatives by every output; autograd carries them back into the networks. Outputs on
another device or in half precision are moved and converted (they are small); gradients go back the same way.
"""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import torch

from . import _core
from ._asking import AskingInputs
from ._inputs import Inputs, batch_size, by_term, observation_keys, observation_of
from ._labels import confusion_of, label_loss, labelled_rows
from ._networks import Networks, back, logits, on_cpu
from ._steps import LogProbability, Plan, Step
from .confusion import Confusion
from .errors import UsageError
from .options import Options, whole_number
from .program import Program
from .texts import core_observations

__all__ = ["NeuralProgram", "logits"]

_IMPOSSIBLE = 2  # this status and those above it have no gradient: ExampleStatus in neurasp/training.hpp
_LEAST = 1e-6  # probability of a learnable rule's outcome


class NeuralProgram(AskingInputs, torch.nn.Module):
    """A program with networks. Made by ``neurasp.Program(text, digit=net)``.

    ``forward`` is the loss, so ``DistributedDataParallel(program)`` synchronises gradients. ``parameters()``,
    ``state_dict()``, ``to(device)``, ``train()`` and ``eval()`` are those of every module; probabilities of learnable
    rules (``@0.4 : a.``) are parameters as well, and are put back onto the simplex at the start of ``forward``. A
    program that has such rules and no networks is made with ``networks={}``.

    Questions take the networks' inputs, ``{"a": batch, "b": batch}``. With one example they return one answer, with
    several a list of answers.

    ``method`` is ``"exact"``, ``"sampling"`` (``samples`` of them for each example) or ``"top_k"`` (the ``k`` most
    probable models); ``optimal`` counts models of least cost only; ``convention`` is ``"plain"`` or
    ``"proposition1"``. ``circuit_folder`` keeps circuits for the next run, ``threads`` prepare observations, and
    ``compile_limit`` is the time in seconds for the circuit of one observation, which is searched model by model if
    it has none.

    Training steps (``loss``, ``log_prob``, ``prepare``) need the program for themselves; exact questions may be asked
    by other threads meanwhile.
    """

    def __init__(self, text: Union[str, Sequence[str]], *, name: Union[None, str, Sequence[str]] = None,
                 constants: Optional[Mapping[str, Any]] = None, logits: Union[str, Sequence[str]] = (),
                 allow_script: bool = False, allow_include: bool = False, isolate: bool = False,
                 networks: Optional[Mapping[str, torch.nn.Module]] = None, method: str = "exact", samples: int = 100,
                 k: int = 10, optimal: bool = False, convention: str = "plain",
                 circuit_folder: Union[str, "os.PathLike[str]"] = "", threads: int = 1,
                 compile_limit: Optional[float] = None, seed: int = 0, **more_networks: torch.nn.Module) -> None:
        torch.nn.Module.__init__(self)
        if convention not in ("plain", "proposition1"):
            raise UsageError(f"convention is 'plain' or 'proposition1', not {convention!r}")
        for argument, value in (("samples", samples), ("k", k), ("threads", threads), ("seed", seed)):
            whole_number(argument, value, least=0 if argument == "seed" else 1)
        Program.__init__(self, text, name=name, constants=constants, logits=logits, allow_script=allow_script,
                         allow_include=allow_include, isolate=isolate)
        self._training_options = (method, samples, k, convention == "proposition1", optimal, compile_limit,
                                  os.fspath(circuit_folder), threads)
        self.networks = Networks({**(networks or {}), **more_networks}, self._source.logits,
                                 convention == "proposition1")
        self.seed = seed
        self._start_training()
        self.rules = torch.nn.ParameterList(
            [torch.nn.Parameter(torch.tensor(rule[2], dtype=torch.float64)) for rule in self._training.rules()])

    # --- state ---

    def _start_training(self) -> None:
        self._training = _core.Training(self._core, *self._training_options, _core.Limits())
        self._ids: Dict[Any, int] = {}
        self._steps = 0
        self._plan: Optional[Plan] = None
        self.last_batch = 0
        self._read_shapes()

    def _read_shapes(self) -> None:
        self._shapes = {name: (events, outcomes) for name, events, outcomes, _ in self._training.networks()}

    def __getstate__(self) -> Any:
        state = dict(self.__dict__)
        for made_again in ("_core", "_reasoner", "_isolation", "_training", "_ids", "_plan", "_shapes", "_warned"):
            state.pop(made_again, None)
        return state

    def __setstate__(self, state: Any) -> None:
        torch.nn.Module.__setstate__(self, state)
        self._read(self._source)
        steps = self._steps
        self._start_training()
        self._steps = steps

    def __repr__(self) -> str:
        names = ", ".join(name for name, _ in self.networks.items())
        return f"{Program.__repr__(self)[:-1]}; networks: {names or 'none'}>"

    def _project_rules(self) -> None:
        if not len(self.rules):
            return
        with torch.no_grad():
            for rule in self.rules:
                rule.copy_(torch.tensor(_core.project_to_simplex(rule.tolist(), _LEAST), dtype=rule.dtype))

    def _rule_numbers(self) -> torch.Tensor:
        if not len(self.rules):
            return torch.empty(0, dtype=torch.float64)
        return torch.cat([rule.to("cpu", torch.float64) for rule in self.rules])

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """As every module's; probabilities of learnable rules are distributions."""
        self._project_rules()
        return torch.nn.Module.state_dict(self, *args, **kwargs)

    # --- what a batch needs ---

    def prepare(self, observe: Any, values: Any = None, *, progress: Any = None, **options: Any) -> int:
        """Grounds and compiles observations before they are needed: a text, a list of texts, or a template with values.

        Returns how many of them are prepared; what is done is kept, also after Ctrl-C or ``time_limit=``. With
        ``progress=True``, a bar is shown where tqdm is installed.
        """
        from .progress import bar

        asked = Options.of(options, "prepare")
        keys = list(dict.fromkeys(observation_keys(observe, values, None)))
        new = [key for key in keys if key not in self._ids]
        with bar(len(new), progress, "preparing") as report:
            asked.progress = report
            self._prepare(new, asked)
        return sum(key in self._ids for key in keys)

    def _prepare(self, keys: List[Any], options: Options) -> None:
        texts = [observation_of(key) for key in keys]
        if self._isolation is not None:
            self._isolation.ground([([text], []) for text in texts], options)
        for key, number in zip(keys, self._training.prepare(core_observations(texts), options.limits())):
            self._ids[key] = number
        self._read_shapes()

    def _observation_ids(self, keys: List[Any]) -> List[int]:
        known = self._ids
        try:
            return [known[key] for key in keys]
        except KeyError:
            self._prepare([key for key in dict.fromkeys(keys) if key not in known], Options())
        return [known[key] for key in keys]

    def _plan_for(self, ids: Sequence[int], inputs: Dict[Any, Any]) -> Plan:
        plan = self._plan
        if plan is None or plan.keys != inputs.keys():
            plan = self._plan = Plan(inputs.keys())
        new = plan.missing(ids)
        if new:
            plan.extend(self._training, new)
        return plan

    # --- learning ---

    def log_prob(self, inputs: Inputs, *, observe: Any, values: Any = None) -> torch.Tensor:
        """log P(O) of every example, differentiable; minus infinity where the observation is impossible."""
        logs, _, _, outputs = self._log_prob(by_term(inputs), observe, values)
        return back(logs, outputs)

    def _log_prob(self, inputs: Dict[Any, Any], observe: Any,
                  values: Any) -> Tuple[torch.Tensor, Step, Plan, List[torch.Tensor]]:
        self._project_rules()
        keys = observation_keys(observe, values, batch_size(inputs))
        ids = self._observation_ids(keys)
        plan = self._plan_for(ids, inputs)
        outputs = self.networks.outputs(self._shapes, plan.terms, inputs)
        self.last_batch = len(keys)
        self._steps += 1
        step = Step(plan, ids, len(keys), self.seed, self._steps)
        logs: torch.Tensor = LogProbability.apply(step, self._rule_numbers(), *on_cpu(outputs))
        return logs, step, plan, outputs

    def forward(self, inputs: Inputs, *, observe: Any, values: Any = None, labels: Any = None,
                alpha: float = 0.0, label_smoothing: float = 0.0, class_weights: Any = None) -> torch.Tensor:
        """The loss: the mean of -log P(O) over the possible examples.

        ``observe`` is one text for all examples, a template whose holes ``{}`` take ``values``, or one text for each
        example. ``labels`` mixes in the cross-entropy of labelled outputs, ``{"a": numbers of outcomes}``:
        ``alpha * labelled + (1 - alpha) * semantic``. ``label_smoothing`` and ``class_weights`` (one for each outcome,
        or such lists by network) are those of ``torch.nn.functional.cross_entropy``. The result's attribute ``impossible`` lists the examples whose
        observation has probability 0; they do not count. In ``train()`` mode with several processes
        (torch.distributed), the mean is over the possible examples of all of them.
        """
        by_terms = by_term(inputs)
        logs, step, plan, outputs = self._log_prob(by_terms, observe, values)
        impossible = [i for i, status in enumerate(step.status) if status >= _IMPOSSIBLE]
        if impossible:
            possible = torch.tensor([status < _IMPOSSIBLE for status in step.status])
            total = torch.where(possible, logs, torch.zeros_like(logs)).sum()
        else:
            total = logs.sum()
        loss = back(-total * self._mean_factor(len(step.status) - len(impossible)), outputs)
        if labels is not None:
            rows = labelled_rows(self, by_terms, labels, plan, outputs)
            on_labels = label_loss(rows, label_smoothing, class_weights)
            if _in_a_group(self):
                on_labels = on_labels * (self.last_batch * self._mean_factor(self.last_batch))
            loss = alpha * on_labels + (1 - alpha) * loss
        elif alpha != 0.0 or label_smoothing != 0.0 or class_weights is not None:
            raise UsageError("alpha, label_smoothing and class_weights are for the loss on labels: give labels= as "
                             "well")
        if not loss.requires_grad or _in_a_group(self):
            loss = self._tied(loss, plan)
        loss.impossible = impossible  # type: ignore[attr-defined]
        return loss

    def loss(self, inputs: Inputs, *, observe: Any, values: Any = None, labels: Any = None,
             alpha: float = 0.0, label_smoothing: float = 0.0, class_weights: Any = None) -> torch.Tensor:
        """The same as calling the program: see :meth:`forward`."""
        result: torch.Tensor = self(inputs, observe=observe, values=values, labels=labels, alpha=alpha,
                                    label_smoothing=label_smoothing, class_weights=class_weights)
        return result

    def confusion(self, inputs: Inputs, labels: Any) -> Confusion:
        """How often each outcome was the most probable one where each was the label; see :class:`Confusion`.

        ``labels`` are numbers of outcomes, ``{"a": numbers}`` or ``{network: {"a": numbers}}``, all of one network.
        Networks run as they are: call ``eval()`` first.
        """
        return confusion_of(self, by_term(inputs), labels)

    def _mean_factor(self, count: int) -> float:
        """1 / count; with several processes, such that the mean of their gradients is that over all possible examples.
        """
        if _in_a_group(self):
            distributed = torch.distributed
            total = torch.tensor(float(count), device="cuda" if distributed.get_backend() == "nccl" else "cpu")
            distributed.all_reduce(total)
            return distributed.get_world_size() / max(float(total), 1.0)
        return 1.0 / max(count, 1)

    def _tied(self, loss: torch.Tensor, plan: Plan) -> torch.Tensor:
        """The loss with derivatives of 0 by the parameters of networks that this batch does not call: backward needs
        something to start from, and other processes wait for them."""
        called = {name for name, terms in zip(self._shapes, plan.terms) if terms}
        for name, network in self.networks.items():
            if name not in called:
                for parameter in network.parameters():
                    loss = loss + parameter.reshape(-1)[:0].sum().to(loss)
        return loss


def _in_a_group(module: torch.nn.Module) -> bool:
    """Whether several processes train together."""
    distributed = torch.distributed
    return bool(module.training and distributed.is_available() and distributed.is_initialized())
