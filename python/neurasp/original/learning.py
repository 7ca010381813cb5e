"""The original's way to learn: example by example, with Proposition 1's gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

import torch

from ..errors import UsageError
from .batches import learn_batches
from .mvpp import normalize
from .questions import warn_impossible
from .steps import LEAST, Call, Engine, Frame

if TYPE_CHECKING:
    from .testing import Testing

METHODS = ("exact", "sampling", "nn_prediction", "penalty")
_EPS = 0.000001


class Learning:
    """What :class:`NeurASP` does to learn."""

    device: torch.device
    n: Dict[str, int]
    nnMapping: Dict[str, Any]
    nnOutputs: Dict[str, Dict[str, Any]]
    nnGradients: Dict[str, Dict[str, Any]]
    optimizers: Optional[Mapping[str, Any]]
    mvpp: Dict[str, Any]
    normalProbs: Optional[List[List[float]]]
    testConstraint: Callable[[Sequence[Any], Sequence[str], Sequence[str]], None]
    constReplacement: Callable[[str], str]
    _learned: Dict[Tuple[str, ...], List[float]]
    _learnable: List[List[bool]]
    _remaining: List[float]
    _rule_atoms: List[Tuple[str, ...]]
    _stored: Tuple[List[str], bool]
    _static_calls: Callable[[], List[Call]]
    _engine: Callable[..., Engine]

    def learn(self, dataList: Any = None, obsList: Any = None, epoch: int = 1, alpha: float = 0,  # noqa: N803
              lossFunc: Any = "cross", method: str = "exact", lr: float = 0.01, opt: bool = False,  # noqa: N803
              storeSM: bool = False, smPickle: Optional[str] = None, accEpoch: int = 0,  # noqa: N803
              batchSize: int = 1, bar: bool = False, *, dataset: Any = None, accStep: int = 0,  # noqa: N803
              seed: Optional[int] = None, valDataset: Any = None, task: Optional[str] = None) -> None:  # noqa: N803
        """Trains the networks and the probabilities of learnable rules.

        ``dataList`` has a dictionary for each example that maps terms to tensors, or to ``(tensor, {network: labels})``;
        ``obsList`` has an observation for each. The loss is ``alpha`` times that of labels (``lossFunc`` is ``'cross'``
        or a criterion of torch) plus ``1 - alpha`` times ``-log P(O)``; with ``opt``, only models of least cost count.
        Gradients of ``batchSize`` examples are added up before a step; ``lr`` is the rate for rules. ``storeSM`` and
        ``smPickle`` are accepted, but circuits are kept anyway: no file is read or written. ``accEpoch`` prints the
        accuracy after so many examples, ``bar`` shows a bar.

        The other form is ``learn(dataset, epoch)``, where ``dataset`` yields batches: a dictionary of batched tensors and
        a list of observations. There the loss is the mean of ``-log P(O)``, and each batch makes a step.
        """
        if isinstance(obsList, int):  # learn(dataset, 10)
            dataset, obsList, epoch = dataList, None, obsList
        if dataset is not None or obsList is None:
            learn_batches(self, dataList if dataset is None else dataset, epoch, opt=opt, lr=lr, bar=bar, seed=seed,
                          accStep=accStep, valDataset=valDataset)
            return
        assert len(dataList) == len(obsList), "Error: the length of dataList does not equal to the length of obsList"
        assert 0 <= alpha <= 1, "Error: the value of alpha should be within [0, 1]"
        if method not in METHODS:
            raise UsageError(f"the method '{method}' should be one of {', '.join(METHODS)}")
        if storeSM or smPickle is not None:
            self._stored = (list(obsList), opt)
        run = _Run(self, list(obsList), alpha, lossFunc, method, lr, opt)
        for network in self.nnMapping.values():
            network.train()
        for _ in range(epoch):
            pending = False
            for index, data in enumerate(with_bar(dataList) if bar else dataList):
                if not run.example(index, data):
                    continue
                pending = (index + 1) % batchSize != 0
                if not pending:
                    self._update()
                if accEpoch != 0 and (index + 1) % accEpoch == 0:
                    print(f"Training accuracy at interation {index + 1}:")
                    self.testConstraint(dataList, obsList, [self.mvpp["program"]])
                    for network in self.nnMapping.values():
                        network.train()
            if pending:
                self._update()
        run.finish()

    def _update(self) -> None:
        for optimizer in (self.optimizers or {}).values():
            optimizer.step()
            optimizer.zero_grad()

    def _update_rules(self, engine: Engine, gradient: Optional[torch.Tensor], lr: float) -> None:
        """A step for the probabilities of learnable rules, which stay distributions."""
        if gradient is None or self.normalProbs is None or engine.rule_numbers is None:
            return
        derivatives = gradient.sum(0).tolist()
        position = 0
        for _, atoms, _, number in engine.rules:
            rule, learnable = self.normalProbs[number], self._learnable[number]
            for i, learned in enumerate(learnable):
                if learned:
                    rule[i] += lr * derivatives[position + i]
            normalize(rule, learnable, self._remaining[number], _EPS)
            engine.rule_numbers[position:position + len(atoms)] = torch.tensor(rule, dtype=torch.float64)
            self._learned[self._rule_atoms[number]] = rule
            position += len(atoms)


class _Run:
    """One call of ``learn``: what its examples share."""

    def __init__(self, owner: Any, observations: List[str], alpha: float, loss: Any, method: str, lr: float,
                 optimal: bool) -> None:
        self.owner, self.observations, self.alpha, self.loss, self.method, self.lr = \
            owner, observations, alpha, loss, method, lr
        self.engine: Engine = owner._engine("sampling" if method == "sampling" else "exact", optimal)
        self.static = owner._static_calls()
        self.keys: Dict[str, str] = {}
        self.networks: Dict[str, Any] = owner.nnMapping
        self.device = owner.device
        self.warned: Set[int] = set()
        self.last: Optional[Tuple[Frame, List[torch.Tensor]]] = None
        self.known: Dict[str, Tuple[int, Frame]] = {}

    def _prepared(self, index: int) -> Tuple[int, Frame]:
        """The number of an example's observation, and the memory for its outputs."""
        text = self.observations[index]
        found = self.known.get(text)
        if found is None:
            if self.alpha < 1:
                identity = self.engine.identity(text, self.observations[index + 1:])
                calls = self.engine.calls(identity, self.static)
            else:  # labels alone: nothing is compiled
                identity, calls = -1, tuple(self.static)
            found = self.known[text] = (identity, self.engine.frame(calls))
        return found

    def _item(self, data: Mapping[str, Any], term: str) -> Any:
        found = data.get(self.keys.get(term, term))
        if found is not None and (term in self.keys or term not in self.owner.const):
            return found
        for key in data:
            if self.owner.constReplacement(key) == term:
                self.keys[term] = key
                return data[key]
        raise KeyError(term)

    def example(self, index: int, data: Mapping[str, Any]) -> bool:
        """Adds the gradient of one example. False if it asks for no step."""
        identity, frame = self._prepared(index)
        outputs: List[torch.Tensor] = []
        roots: List[torch.Tensor] = []
        gradients: List[Optional[torch.Tensor]] = []
        for network, term, _, _ in frame.calls:
            item = self._item(data, term)
            labels = None
            if isinstance(item, tuple):
                item, by_network = item
                labels = by_network.get(network)
            output = self.networks[network](item.to(self.device))
            outputs.append(output)
            if self.alpha > 0 and labels is not None:
                columns = frame.columns(len(outputs) - 1, output)
                roots.append(self.alpha * self._label_loss(network, output, labels, columns))
                gradients.append(None)
        self.last = (frame, outputs)
        if self.alpha < 1:
            derivatives = self._semantic(identity, frame, outputs, index)
            if derivatives is None:
                return False
            for output, derivative in zip(outputs, derivatives):
                if output.requires_grad:
                    roots.append(output)
                    gradients.append(derivative)
        if roots:
            torch.autograd.backward(roots, gradients)  # type: ignore[arg-type]
        if frame.rule_gradient is not None and self.alpha < 1:
            self.owner._update_rules(self.engine, frame.rule_gradient, self.lr)
        return True

    def _semantic(self, identity: int, frame: Frame, outputs: List[torch.Tensor],
                  index: int) -> Optional[List[torch.Tensor]]:
        """The derivatives of the loss by the outputs; None to leave the example out."""
        factor = self.alpha - 1
        if self.method == "nn_prediction":
            frame.read(outputs)
            return None if self._prediction_holds(identity, frame) else frame.derivatives(outputs, -factor)
        status, derivatives = frame.learn(identity, outputs, factor)
        if not frame.possible(status) and identity not in self.warned:
            self.warned.add(identity)
            warn_impossible(self.observations[index], 5)
        if self.method == "penalty":
            _complement(frame)
            return frame.derivatives(outputs, -factor)
        return derivatives

    def _prediction_holds(self, identity: int, frame: Frame) -> bool:
        """Whether the most probable outcomes satisfy the observation. If not, the derivatives are those of them alone."""
        kept = [block.values.clone() for block in frame.blocks]
        chosen = [torch.zeros_like(values).scatter_(2, values.argmax(2, keepdim=True), 1.0) for values in kept]
        for block, one in zip(frame.blocks, chosen):
            block.values.copy_(one)
        holds = frame.possible(frame.run([identity])[0])
        for block, values, one in zip(frame.blocks, kept, chosen):
            block.values.copy_(values)
            block.gradient.copy_((2 * one - 1) / (values * one).sum(2, keepdim=True))
        if frame.rule_gradient is not None:
            frame.rule_gradient.zero_()
        return holds

    def _label_loss(self, network: str, output: torch.Tensor, labels: torch.Tensor, columns: int) -> torch.Tensor:
        """The loss of labelled outputs. Clamping changes the numbers, but lets gradients pass."""
        clamped = output + (output.clamp(LEAST, 1 - LEAST) - output).detach()
        rows = clamped.reshape(-1, columns)
        if not isinstance(self.loss, str):
            result: torch.Tensor = self.loss(rows, labels.to(self.device))
            return result
        if self.loss != "cross":
            raise UsageError(f"lossFunc is 'cross' or a criterion of torch, not '{self.loss}'")
        if columns == 1:
            rows = torch.cat((rows, 1 - rows), dim=1)
        return torch.nn.functional.nll_loss(torch.log(rows), labels.to(self.device).long().reshape(-1))

    def finish(self) -> None:
        """Leaves the outputs and derivatives of the last example in the owner's attributes."""
        if self.last is None:
            return
        frame, outputs = self.last
        for output, (network, term, block, position) in zip(outputs, frame.calls):
            self.owner.nnOutputs.setdefault(network, {})[term] = \
                output.detach().clamp(LEAST, 1 - LEAST).reshape(-1).tolist()
            columns = output.numel() // block.gradient[position].shape[0]
            derivative = block.gradient[position][:, :columns] * (self.alpha - 1)
            self.owner.nnGradients.setdefault(network, {})[term] = derivative.reshape(-1).tolist()


def _complement(frame: Frame) -> None:
    """Turns derivatives of log P(O) into those of log(1 - P(O))."""
    probability = float(frame.logs[0].exp())
    if probability >= 1 - 1e-12:
        for block in frame.blocks:
            block.gradient.zero_()
        return
    for block in frame.blocks:
        # Of P(true) = 1, Proposition 1's derivative is 1 for the outcome minus 1 for each other one.
        block.gradient.mul_(-probability).add_(2 - block.outcomes).div_(1 - probability)
    if frame.rule_gradient is not None:
        frame.rule_gradient.mul_(-probability / (1 - probability))


def with_bar(items: Sequence[Any]) -> Iterable[Any]:
    """The items with a bar that shows how many are done, if tqdm is installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        return items
    return tqdm(items)  # type: ignore[no-any-return]
