"""A small trainer: epochs, validation, early stopping, checkpoints, a report."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import torch
from torch.nn.utils.clip_grad import clip_grad_norm_

from . import _checkpoint, _core
from ._display import Display
from .errors import UsageError
from .learning import NeuralProgram
from .notebook import curves, table

Metrics = Mapping[str, float]
CHECKPOINT = "checkpoint.pt"
BEST = "best.pt"


@dataclass
class Epoch:
    """One pass over the data."""

    number: int
    loss: float
    examples: int
    impossible: int
    seconds: float
    metrics: Dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        metrics = "".join(f"  {name} {value:.4g}" for name, value in self.metrics.items())
        impossible = f"  {self.impossible} of {self.examples} impossible" if self.impossible else ""
        return f"epoch {self.number}  loss {self.loss:.4f}  {self.seconds:.1f} s{metrics}{impossible}"


class History(Sequence[Epoch]):
    """What a training run did: a sequence of epochs, and how it ended."""

    def __init__(self, epochs: Optional[List[Epoch]] = None) -> None:
        self.epochs = epochs or []
        self.finished = ""
        """Empty, or why the run ended early."""

    def __getitem__(self, index: Any) -> Any:
        return self.epochs[index]

    def __len__(self) -> int:
        return len(self.epochs)

    def __repr__(self) -> str:
        return "\n".join([*map(str, self.epochs), *([self.finished] if self.finished else [])]) or "no epoch yet"

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        names = list(dict.fromkeys(name for epoch in self.epochs for name in epoch.metrics))
        columns = ["epoch", "loss", *names, "impossible", "seconds"]
        return columns, [(epoch.number, epoch.loss, *(epoch.metrics.get(name) for name in names), epoch.impossible,
                          epoch.seconds) for epoch in self.epochs]

    def to_dict(self) -> Dict[str, Any]:
        """Epochs and ending as plain data."""
        return {"epochs": [vars(epoch) for epoch in self.epochs], "finished": self.finished}

    def to_pandas(self) -> Any:
        """A pandas DataFrame; pandas must be installed."""
        import pandas

        columns, rows = self._rows()
        return pandas.DataFrame.from_records(rows, columns=columns)

    def _repr_html_(self) -> str:
        columns, rows = self._rows()
        series = {name: [(float(row[0]), float(row[i])) for row in rows if row[i] is not None]
                  for i, name in enumerate(columns) if name not in ("epoch", "seconds", "impossible")}
        left_out = {"seconds"} if any(epoch.impossible for epoch in self.epochs) else {"seconds", "impossible"}
        kept = [i for i, name in enumerate(columns) if name not in left_out]
        return curves(series) + table([columns[i] for i in kept], [tuple(row[i] for i in kept) for row in rows],
                                      self.finished)

    def protocol_json(self) -> str:
        """The history as the command's runs write it (docs/schema/history.json)."""
        epochs = []
        for epoch in self.epochs:
            evaluation = {"split": "validation", "examples": 0, "seconds": 0.0,
                          "metrics": [{"name": name, "value": value, "is_share": 0.0 <= value <= 1.0}
                                      for name, value in epoch.metrics.items()]}
            epochs.append({"epoch": epoch.number, "batches": 0, "examples": epoch.examples, "loss": epoch.loss,
                           "mean_log_probability": -epoch.loss, "impossible": epoch.impossible,
                           "seconds": {"data": 0.0, "network": epoch.seconds, "symbolic": 0.0, "compile": 0.0},
                           "evaluations": [evaluation] if epoch.metrics else [], "learning_rates": []})
        return json.dumps({"epochs": epochs, "early": [], "points": [], "impossible_examples": []})


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


def _loss_of(program: torch.nn.Module, batch: Any) -> torch.Tensor:
    if isinstance(batch, Mapping):
        given = dict(batch)
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
        mode: str = "max", patience: Optional[int] = None, clip: Optional[float] = None, folder: Optional[str] = None,
        resume: bool = False, report: bool = True, verbose: bool = True) -> History:
    """Trains a program and returns what happened.

    ``loader`` gives batches: ``(inputs, observe, values)``, see :func:`collate`, or anything that ``loss`` understands.
    ``validate`` is called after each epoch and returns a number or a dictionary of them; with ``patience``, training
    stops when ``monitor`` (by default the first of them, or the loss) has not improved for so many epochs. With
    ``validate``, the program has the best epoch's weights at the end. With ``folder``, a checkpoint is written after
    every epoch, the best weights as ``best.pt``, and ``report.html``; ``resume=True`` goes on from the checkpoint.
    Ctrl-C ends training with everything that was done; in notebooks, a curve is drawn while it runs.

    ``program`` may be wrapped in ``DistributedDataParallel``: every process calls ``fit`` with its share of the data,
    and the first one decides which epoch is best, prints, and writes files. Each process counts its own examples and
    loss.
    """
    return _Fit(program, loader, epochs, loss, optimizer or torch.optim.Adam(program.parameters(), lr=lr), scheduler,
                validate, monitor, mode, patience, clip, folder, resume, report, verbose).run()


class _Fit:
    def __init__(self, program: torch.nn.Module, loader: Iterable[Any], epochs: int, loss: Any,
                 optimizer: torch.optim.Optimizer, scheduler: Any, validate: Any, monitor: Optional[str], mode: str,
                 patience: Optional[int], clip: Optional[float], folder: Optional[str], resume: bool, report: bool,
                 verbose: bool) -> None:
        if mode not in ("max", "min"):
            raise UsageError(f"mode is 'max' or 'min', not {mode!r}")
        if resume and folder is None:
            raise UsageError("resume=True needs folder=, where the checkpoint is")
        self.called = program
        self.program = _unwrapped(program)
        self.loader, self.epochs, self.loss = loader, epochs, loss
        self.optimizer, self.scheduler, self.validate = optimizer, scheduler, validate
        self.monitor, self.mode, self.patience, self.clip = monitor, mode, patience, clip
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
        total, examples, impossible, batches = 0.0, 0, 0, 0
        started = time.monotonic()
        for batch in self.display.batches(self.loader, number):
            loss = self.loss(self.called, batch)
            self.optimizer.zero_grad()
            loss.backward()
            if self.clip is not None:
                clip_grad_norm_(self.program.parameters(), self.clip)
            self.optimizer.step()
            size = self.program.last_batch
            left_out = len(getattr(loss, "impossible", ()))
            total += float(loss.detach()) * (size - left_out)
            examples += size
            impossible += left_out
            batches += 1
        if batches == 0:
            raise UsageError("the loader has no batch")
        if examples == impossible:
            raise UsageError("no example has a possible observation: there is nothing to learn from")
        if self.scheduler is not None:
            self.scheduler.step()
        epoch = Epoch(number, total / (examples - impossible), examples, impossible, time.monotonic() - started)
        if self.validate is not None:
            self.called.eval()
            with torch.no_grad():
                found = self.validate(self.program)
            epoch.metrics = {"validation": float(found)} if not isinstance(found, Mapping) else \
                {name: float(value) for name, value in found.items()}
        return epoch

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
                 "steps": self.program._steps,
                 "scheduler": None if self.scheduler is None else self.scheduler.state_dict()}
        _checkpoint.write(self._path(CHECKPOINT), state)

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


def _is_first_process() -> bool:
    distributed = torch.distributed
    return not (distributed.is_available() and distributed.is_initialized()) or distributed.get_rank() == 0


def _of_first_process(value: float) -> float:
    """The first process's number, so that all of them stop together."""
    distributed = torch.distributed
    if not (distributed.is_available() and distributed.is_initialized()):
        return value
    shared = torch.tensor(value, dtype=torch.float64, device="cuda" if distributed.get_backend() == "nccl" else "cpu")
    distributed.broadcast(shared, 0)
    return float(shared)
