"""A small trainer: epochs, validation, early stopping, checkpoints, a report."""

from __future__ import annotations

import os
import time
from functools import partial
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

import torch
from torch.nn.utils.clip_grad import clip_grad_norm_

from . import _checkpoint, _core
from ._display import Display
from .confusion import Confusion
from .errors import UsageError
from .history import Epoch, History
from .learning import NeuralProgram
from .options import whole_number

__all__ = ["Epoch", "History", "collate", "fit"]

Metrics = Mapping[str, Union[float, Confusion]]
CHECKPOINT = "checkpoint.pt"
BEST = "best.pt"
CSV = "epochs.csv"


def collate(items: Sequence[Any]) -> Any:
    """Makes a batch of examples ``(inputs, observation)`` or ``(inputs, template, values)``, for a DataLoader.

    ``inputs`` is a dictionary from terms to tensors without a batch dimension.
    """
    inputs = {term: _stacked([item[0][term] for item in items]) for term in items[0][0]}
    if len(items[0]) == 2:
        return inputs, [item[1] for item in items]
    templates = {item[1] for item in items}
    if len(templates) != 1:
        raise UsageError("the examples of a batch share one template; fill in the values to mix several")
    return inputs, items[0][1], [item[2] for item in items]


def _stacked(parts: Sequence[Any]) -> Any:
    """A batch of tensors, or of tuples of tensors for networks that take several."""
    if isinstance(parts[0], (tuple, list)):
        return tuple(torch.stack(list(own)) for own in zip(*parts))
    return torch.stack(list(parts))


def _loss_of(program: torch.nn.Module, batch: Any, **on_labels: Any) -> torch.Tensor:
    if isinstance(batch, Mapping):
        given = {**on_labels, **batch} if "labels" in batch else dict(batch)
        loss: torch.Tensor = program(given.pop("inputs"), **given)
        return loss
    if isinstance(batch, (tuple, list)) and len(batch) in (2, 3) and isinstance(batch[0], Mapping):
        loss = program(batch[0], observe=batch[1], values=batch[2] if len(batch) == 3 else None)
        return loss
    raise UsageError("a batch is (inputs, observe), (inputs, observe, values) or a dictionary with these keys; for "
                     "anything else give fit() a function: loss=lambda program, batch: program.loss(...)")


def fit(program: torch.nn.Module, loader: Iterable[Any], *, epochs: int = 10,
        loss: Callable[[Any, Any], torch.Tensor] = _loss_of,
        optimizer: Optional[torch.optim.Optimizer] = None, lr: float = 1e-3, scheduler: Any = None,
        validate: Optional[Callable[[NeuralProgram], Union[float, Metrics]]] = None, monitor: Optional[str] = None,
        mode: str = "max", patience: Optional[int] = None, clip: Optional[float] = None, accumulate: int = 1,
        warmup: int = 0, label_smoothing: float = 0.0, class_weights: Any = None, folder: Optional[str] = None,
        resume: bool = False, report: bool = True, verbose: bool = True) -> History:
    """Trains a program and returns what happened.

    ``loader`` gives batches: ``(inputs, observe, values)``, see :func:`collate`, or anything that ``loss`` understands.
    ``validate`` is called after each epoch and returns a number or a dictionary of them; with ``patience``, training
    stops when ``monitor`` (by default the first of them, or the loss) has not improved for so many epochs. With
    ``validate``, the program has the best epoch's weights at the end. Where it returns a :class:`Confusion`, its
    accuracy is the metric, and the matrix is shown in the report.

    ``accumulate`` batches are put together for one step, which is that of one large batch. During the first ``warmup``
    steps the learning rate grows evenly to what optimizer and scheduler say. ``label_smoothing`` and ``class_weights``
    are for batches with labels: see :meth:`NeuralProgram.forward`.

    With ``folder``, a checkpoint is written after every epoch, the best weights as ``best.pt``, a table of all epochs
    as ``epochs.csv``, and ``report.html``; ``resume=True`` goes on from the checkpoint. Ctrl-C ends training with
    everything that was done; in notebooks, a curve is drawn while it runs.

    ``program`` may be wrapped in ``DistributedDataParallel``: every process calls ``fit`` with its share of the data,
    and the first one decides which epoch is best, prints, and writes files. Each process counts its own examples and
    loss.
    """
    if label_smoothing or class_weights is not None:
        if loss is not _loss_of:
            raise UsageError("label_smoothing and class_weights are for the built-in loss; give them to program.loss() "
                             "in a loss of your own")
        loss = partial(_loss_of, label_smoothing=label_smoothing, class_weights=class_weights)
    return _Fit(program, loader, epochs, loss, optimizer or torch.optim.Adam(program.parameters(), lr=lr), scheduler,
                validate, monitor, mode, patience, clip, accumulate, warmup, folder, resume, report, verbose).run()


class _Fit:
    def __init__(self, program: torch.nn.Module, loader: Iterable[Any], epochs: int, loss: Any,
                 optimizer: torch.optim.Optimizer, scheduler: Any, validate: Any, monitor: Optional[str], mode: str,
                 patience: Optional[int], clip: Optional[float], accumulate: int, warmup: int, folder: Optional[str],
                 resume: bool, report: bool, verbose: bool) -> None:
        if mode not in ("max", "min"):
            raise UsageError(f"mode is 'max' or 'min', not {mode!r}")
        if resume and folder is None:
            raise UsageError("resume=True needs folder=, where the checkpoint is")
        whole_number("accumulate", accumulate, least=1)
        whole_number("warmup", warmup, least=0)
        if accumulate > 1 and _several_processes():
            raise UsageError("accumulate is for one process; with several, give each larger batches")
        self.called = program
        self.program = _unwrapped(program)
        self.loader, self.epochs, self.loss = loader, epochs, loss
        self.optimizer, self.scheduler, self.validate = optimizer, scheduler, validate
        self.monitor, self.mode, self.patience, self.clip = monitor, mode, patience, clip
        self.accumulate, self.warmup, self.updates = accumulate, warmup, 0
        self.folder, self.report = folder, report
        self.writes = folder is not None and _is_first_process()
        self.history = History()
        self.best: Optional[float] = None
        self.best_epoch = 0
        self.best_weights: Optional[Dict[str, Any]] = None
        self.seconds = 0.0
        self.display = Display(verbose and _is_first_process())
        if folder is not None and self.writes:
            os.makedirs(folder, exist_ok=True)
        if resume:
            self._load()

    def run(self) -> History:
        started = time.monotonic() - self.seconds
        try:
            for number in range(len(self.history) + 1, self.epochs + 1):
                self.history.epochs.append(self._epoch(number))
                self.seconds = time.monotonic() - started
                self._judge(self.history[-1])
                self._save()
                self.display.show(self.history, self.epochs)
                if self.patience is not None and number - self.best_epoch >= self.patience:
                    self.history.finished = f"stopped: no improvement for {self.patience} epochs"
                    break
        except KeyboardInterrupt:
            self.history.finished = "interrupted"
        self.display.end(self.history)
        if self.best_weights is not None:
            self.program.load_state_dict(self.best_weights)
        self.program._project_rules()
        if self.writes and self.report:
            self._write_report()
        return self.history

    def _epoch(self, number: int) -> Epoch:
        self.called.train()
        total, examples, impossible, batches, waiting = 0.0, 0, 0, 0, 0
        started = time.monotonic()
        for batch in self.display.batches(self.loader, number):
            loss = self.loss(self.called, batch)
            size = self.program.last_batch
            left_out = len(getattr(loss, "impossible", ()))
            if batches % self.accumulate == 0:
                self.optimizer.zero_grad()
                waiting = 0
            if self.accumulate > 1:  # sums, whose mean is known when the last batch of the step is
                waiting += size - left_out
                (loss * (size - left_out)).backward()
            else:
                loss.backward()
            total += float(loss.detach()) * (size - left_out)
            examples += size
            impossible += left_out
            batches += 1
            if batches % self.accumulate == 0:
                self._update(waiting)
        if batches % self.accumulate != 0:
            self._update(waiting)
        if batches == 0:
            raise UsageError("the loader has no batch")
        if examples == impossible:
            raise UsageError("no example has a possible observation: there is nothing to learn from")
        if self.scheduler is not None:
            self.scheduler.step()
        epoch = Epoch(number, total / (examples - impossible), examples, impossible, time.monotonic() - started)
        self._validate(epoch)
        return epoch

    def _update(self, examples: int) -> None:
        """One step of the optimizer, with gradients that are sums over so many examples if batches are accumulated."""
        if self.accumulate > 1 and examples > 0:
            for parameter in self.program.parameters():
                if parameter.grad is not None:
                    parameter.grad /= examples
        if self.clip is not None:
            clip_grad_norm_(self.program.parameters(), self.clip)
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self.updates < self.warmup:
            for group, rate in zip(self.optimizer.param_groups, rates):
                group["lr"] = rate * (self.updates + 1) / self.warmup
        self.optimizer.step()
        for group, rate in zip(self.optimizer.param_groups, rates):
            group["lr"] = rate
        self.updates += 1

    def _validate(self, epoch: Epoch) -> None:
        self.confusions = {}
        if self.validate is None:
            return
        self.called.eval()
        with torch.no_grad():
            found = self.validate(self.program)
        named = found if isinstance(found, Mapping) else {"validation": found}
        self.confusions = {name: value for name, value in named.items() if isinstance(value, Confusion)}
        epoch.metrics = {name: value.accuracy if isinstance(value, Confusion) else float(value)
                         for name, value in named.items()}

    def _judge(self, epoch: Epoch) -> None:
        """Remembers the weights of the best epoch, if anything says which is best."""
        if not epoch.metrics:
            value, better_is_less = epoch.loss, True
        else:
            name = self.monitor or next(iter(epoch.metrics))
            if name not in epoch.metrics:
                raise UsageError(f"monitor: there is no metric '{name}'; there are {', '.join(epoch.metrics)}")
            value, better_is_less = epoch.metrics[name], self.mode == "min"
        value = _of_first_process(value)
        if self.best is not None and not (value < self.best if better_is_less else value > self.best):
            return
        self.best, self.best_epoch = value, epoch.number
        self.history.confusions = self.confusions
        if self.validate is not None:
            self.best_weights = {key: tensor.detach().clone() for key, tensor in self.program.state_dict().items()}
            if self.writes:
                _checkpoint.write_weights(self._path(BEST), self.best_weights)

    # --- files ---

    def _path(self, name: str) -> str:
        assert self.folder is not None
        return os.path.join(self.folder, name)

    def _save(self) -> None:
        if not self.writes:
            return
        state = {"program": self.program.state_dict(), "optimizer": self.optimizer.state_dict(),
                 "history": self.history.to_dict(), "best": self.best, "best_epoch": self.best_epoch,
                 "best_weights": self.best_weights, "seconds": self.seconds, "random": torch.get_rng_state(),
                 "steps": self.program._steps, "updates": self.updates,
                 "scheduler": None if self.scheduler is None else self.scheduler.state_dict()}
        _checkpoint.write(self._path(CHECKPOINT), state)
        self.history.to_csv(self._path(CSV) + ".new")
        os.replace(self._path(CSV) + ".new", self._path(CSV))

    def _load(self) -> None:
        path = self._path(CHECKPOINT)
        if not os.path.exists(path):
            raise UsageError(f"there is no checkpoint to resume from: {path}")
        state = _checkpoint.read(path)
        self.program.load_state_dict(state["program"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self.scheduler is not None and state["scheduler"] is not None:
            self.scheduler.load_state_dict(state["scheduler"])
        self.history = History([Epoch(**epoch) for epoch in state["history"]["epochs"]])
        self.history.confusions = {name: Confusion(**one) for name, one in state["history"]["confusions"].items()}
        self.updates = state["updates"]
        self.best, self.best_epoch, self.best_weights = state["best"], state["best_epoch"], state["best_weights"]
        self.seconds = state["seconds"]
        self.program._steps = state["steps"]
        torch.set_rng_state(state["random"])

    def _write_report(self) -> None:
        rules = [(rule[0], list(zip(rule[1], numbers.tolist())))
                 for rule, numbers in zip(self.program._training.rules(), self.program.rules)]
        networks = [(name, str(network)) for name, network in self.program.networks.items()]
        page = _core.report_html(os.path.basename(os.path.dirname(os.path.abspath(self._path("")))), self.program.text,
                                 self.history.protocol_json(), networks, rules, self.seconds, self.history.finished)
        with open(self._path("report.html"), "w", encoding="utf-8") as file:
            file.write(page)


def _unwrapped(program: torch.nn.Module) -> NeuralProgram:
    """The program itself, also where DistributedDataParallel is around it."""
    inner = getattr(program, "module", program)
    if not isinstance(inner, NeuralProgram):
        raise UsageError("fit() trains a program with networks, neurasp.Program(text, digit=net), not "
                         f"{type(program).__name__}")
    return inner


def _several_processes() -> bool:
    distributed = torch.distributed
    return bool(distributed.is_available() and distributed.is_initialized())


def _is_first_process() -> bool:
    return not _several_processes() or torch.distributed.get_rank() == 0


def _of_first_process(value: float) -> float:
    """The first process's number, so that all of them stop together."""
    distributed = torch.distributed
    if not _several_processes():
        return value
    shared = torch.tensor(value, dtype=torch.float64, device="cuda" if distributed.get_backend() == "nccl" else "cpu")
    distributed.broadcast(shared, 0)
    return float(shared)
