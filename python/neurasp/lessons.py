"""What observations can teach, found out before anything is trained. Needs neither torch nor networks."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _core
from .answers import Answer
from .errors import UsageError
from .options import Options
from .texts import core_observations, term_text, value_texts

_Known = Tuple[int, str, List[int]]  # network, terms, outcomes


class Shortcuts:
    """Maps from true outcomes to outcomes, one for each network, that keep every observation satisfied.

    The identity is one of them; a network that has learned another satisfies all observations and is wrong.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.at_least = int(data["at_least"])
        self.at_most: Optional[int] = None if data["at_most"] is None else int(data["at_most"])
        """None if it is not known."""
        smallest = data["smallest"] or {"changes": 0, "sure": True, "least": True, "maps": []}
        self.smallest: Dict[str, Dict[str, str]] = {
            one["network"]: {entry["from"]: entry["to"] for entry in one["entries"]} for one in smallest["maps"]}
        """Where the map other than the identity that changes the fewest outcomes takes each, by network; empty if there
        is none or none was found."""
        self.changes: int = smallest["changes"]
        """How many outcomes it changes."""
        self.is_sure: bool = smallest["sure"]
        """False if total choices that were not looked at may rule it out."""
        self.is_least: bool = smallest["least"]
        """False if a limit was reached before smaller ones were ruled out."""

    @property
    def exact(self) -> bool:
        return self.at_most == self.at_least

    def __repr__(self) -> str:
        if self.exact:
            text = f"{self.at_least} maps, the identity included" if self.at_least > 1 else "none: only the identity"
        else:
            most = "" if self.at_most is None else f", at most {self.at_most}"
            text = f"at least {self.at_least}{most} maps, the identity included"
        return "\n".join([text, *(f"  {network}: {words}" for network, words in self._words())])

    def _words(self) -> List[Tuple[str, str]]:
        """The smallest map in words, by network."""
        found = []
        for network, entries in self.smallest.items():
            words = []
            for start, end in entries.items():
                if start == end:
                    continue
                if entries.get(end) != start:
                    words.append(f"{start} can be taken for {end}")
                elif list(entries).index(start) < list(entries).index(end):
                    words.append(f"{start} and {end} can be swapped")
            if words:
                found.append((network, "; ".join(words)))
        return found


class LearningCheck(Answer):
    """What examples can teach. Examples are named by their number, from 0, in the order in which they were given."""

    def __init__(self, data: Dict[str, Any], observation_of: Sequence[int]) -> None:
        how = {name: data[name] for name in ("exact", "interrupted", "seconds")}
        super().__init__({**data, "how": {**how, "engine": "", "limit": data["limit"] or "", "why": "",
                                          "models_seen": 0, "solver_calls": 0}})
        lessons = data["lessons"]
        of = [lessons[observation] for observation in observation_of]
        self.examples = len(of)
        self.impossible: List[int] = [i for i, lesson in enumerate(of) if lesson == "impossible"]
        """Examples with P(O) = 0, whatever the networks say."""
        self.teach_nothing: List[int] = [i for i, lesson in enumerate(of) if lesson == "nothing"]
        """Examples with the same P(O), whatever the networks say and learnable rules become."""
        self.unknown: List[int] = [i for i, lesson in enumerate(of) if lesson == "unknown"]
        """Examples of which a limit was reached before it was known."""
        self.contradictory: List[int] = data["contradictory"]
        """Examples whose labels violate the observation."""
        self.labels_known: bool = data["truth_known"]
        """Whether all labels are known; where one is not, every total choice that is possible counts as the truth."""
        self.networks: List[Dict[str, Any]] = data["networks"]
        """For each network: ``called``, ``matters``, ``idle_events`` and ``impossible_outcomes``."""
        self.shortcuts: Optional[Shortcuts] = None if data["shortcuts"] is None else Shortcuts(data["shortcuts"])
        """None if a limit was reached before anything was known."""

    def _rows(self) -> Tuple[List[str], List[Tuple[Any, ...]]]:
        rows: List[Tuple[Any, ...]] = [("examples", str(self.examples))]
        for name in ("impossible", "teach_nothing", "contradictory", "unknown"):
            found = getattr(self, name)
            if found or name in ("impossible", "teach_nothing"):
                rows.append((name.replace("_", " "), _listed(found)))
        for use in self.networks:
            rows.append((f"network {use['network']}", _use(use, not self.unknown)))
        if self.shortcuts is not None:
            rows += [("shortcuts" if i == 0 else "", line.strip())
                     for i, line in enumerate(repr(self.shortcuts).splitlines())]
        return ["finding", "value"], rows

    def _repr_html_(self) -> str:
        from .notebook import MOST_ROWS

        tables = []
        for network, entries in (self.shortcuts.smallest.items() if self.shortcuts is not None else ()):
            changed = list(entries.items())
            if len(changed) > 16:
                changed = [(start, end) for start, end in changed if start != end][:MOST_ROWS]
            cells = [("true", [start for start, _ in changed]), ("read as", [end for _, end in changed])]
            tables.append(f"<table><caption>the smallest shortcut of {escape(network)}</caption>" + "".join(
                f"<tr><th>{name}</th>{''.join(f'<td>{escape(text)}</td>' for text in texts)}</tr>"
                for name, texts in cells) + "</table>")
        return super()._repr_html_() + "".join(tables)


def _listed(numbers: Sequence[int]) -> str:
    if not numbers:
        return "none"
    first = ", ".join(map(str, numbers[:5])) + (", ..." if len(numbers) > 5 else "")
    return f"{len(numbers)}: {first}"


def _use(use: Mapping[str, Any], all_known: bool) -> str:
    if not use["matters"]:
        return "is not known to matter" if not all_known else "never matters" if use["called"] else "is not called"
    more = [f"event {event} never matters" for event in use["idle_events"]]
    if use["impossible_outcomes"]:
        more.append(f"never possible: {', '.join(use['impossible_outcomes'])}")
    return "; ".join(["matters", *more])


def check_learning(core: "_core.Program", observe: Any, values: Any, labels: Any, optimal: bool, choices: int,
                   steps: int, options: Options) -> LearningCheck:
    observations = _observations(observe, values)
    training = _core.Training(core, "exact", 1, 1, False, optimal, None, "", 1, options.limits())
    numbers: Dict[Tuple[str, Tuple[str, ...]], int] = {}
    observation_of = [numbers.setdefault((text, tuple(given)), len(numbers)) for text, given in observations]
    distinct = core_observations([(text, list(given)) for text, given in numbers])
    if labels:  # networks that only observations call are known once these are prepared
        training.prepare(distinct, options.limits())
    known = _known(training, labels, len(observations))
    data = json.loads(_core.check_learning(training, distinct, list(zip(observation_of, known)), choices, steps,
                                           options.limits()))
    return LearningCheck(data, observation_of)


def _observations(observe: Any, values: Any) -> List[Tuple[str, List[str]]]:
    """One for each example."""
    if isinstance(observe, str):
        if values is None:
            return [(observe, [])]
        return [(observe, value_texts(one)) for one in values]
    if values is not None:
        raise UsageError("values fill the holes of one observation; with a list of observations there are none")
    texts = list(observe) if isinstance(observe, (list, tuple)) else []
    if not texts or not all(isinstance(text, str) for text in texts):
        raise UsageError("observe is a text, with values for each example, or a list of texts, one for each example")
    return [(text, []) for text in texts]


def _known(training: "_core.Training", labels: Any, size: int) -> List[List[_Known]]:
    """The labels by example."""
    known: List[List[_Known]] = [[] for _ in range(size)]
    if labels is None:
        return known
    if not isinstance(labels, Mapping):
        raise UsageError("labels is a dictionary from terms to numbers of outcomes: {\"a\": [1, 0], \"b\": [0, 0]}")
    shapes = training.networks()
    names = [name for name, _, _, _ in shapes]
    by_network = {key: value for key, value in labels.items() if isinstance(value, Mapping)}
    alone = {key: value for key, value in labels.items() if not isinstance(value, Mapping)}
    if alone:
        if len(names) != 1:
            raise UsageError("the program has several networks: say whose labels they are, {network: {term: labels}}")
        by_network[names[0]] = {**by_network.get(names[0], {}), **alone}
    for network, terms in by_network.items():
        if network not in names:
            raise UsageError(f"labels name the network '{network}', which the program does not call; "
                             f"it calls {', '.join(names) or 'none'}")
        _, events, outcomes, _ = shapes[names.index(network)]
        for term, numbers in terms.items():
            rows = numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
            where = f"labels of '{network}' for '{term_text(term)}'"
            if len(rows) != size:
                raise UsageError(f"{where} are one for each of {size} examples, not {len(rows)}")
            for example, row in enumerate(rows):
                if row is None:
                    continue
                row = list(row) if isinstance(row, (list, tuple)) else [row]
                if len(row) != events or not all(isinstance(one, int) and 0 <= one < outcomes for one in row):
                    raise UsageError(f"{where} are {events} numbers from 0 to {outcomes - 1} for each example, the "
                                     f"numbers of outcomes; that of example {example} is {row!r}")
                known[example].append((names.index(network), term_text(term), row))
    return known
