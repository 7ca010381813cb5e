"""``NeurASP``: the class that the original's scripts use."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import torch

from .. import _core
from .learning import Learning
from .mvpp import normalize
from .questions import Questions, satisfies
from .statements import (constants_of, is_neural, lines_of, parts_of, probabilistic_rule, statements, without_spaces)
from .steps import Call, Engine
from .testing import Testing
from .yolo import Detectors

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[a-z_][\w\']*(?!\w*\s*\()')
_EPS = 0.000001


class NeurASP(Learning, Testing):
    """A program, its networks and their optimizers, with the methods and attributes of the original's class.

    ``dprogram`` is the program's text, ``nnMapping`` maps names to networks, ``optimizers`` maps names to optimizers, or
    is None if nothing is trained. With ``gpu=True`` the networks run on a GPU if there is one.
    """

    def __init__(self, dprogram: str, nnMapping: Mapping[str, Any],  # noqa: N803 - the original's names
                 optimizers: Optional[Mapping[str, Any]], gpu: bool = False) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() and gpu else "cpu")
        self.dprogram = dprogram
        self.const: Dict[str, str] = {}
        self.n: Dict[str, int] = {}  # outcomes of each network; 1 if there are two
        self.e: Dict[str, Any] = {}
        self.domain: Dict[str, List[str]] = {}
        self.normalProbs: Optional[List[List[float]]] = None
        self.nnOutputs: Dict[str, Dict[str, Any]] = {}
        self.nnGradients: Dict[str, Dict[str, Any]] = {}
        self.nnMapping: Dict[str, Any] = dict(nnMapping)
        if gpu:
            self.nnMapping = {name: torch.nn.DataParallel(network.to(self.device))
                              for name, network in nnMapping.items()}
        self.optimizers = optimizers
        self.mvpp: Dict[str, Any] = {"nnProb": [], "atom": [], "nnPrRuleNum": 0, "program": ""}
        self.yoloInfo: List[Tuple[str, str, List[str]]] = []
        self._engines: Dict[Any, Engine] = {}
        self._testers: Dict[Any, Engine] = {}
        self._verdicts: Dict[Any, bool] = {}
        self._texts: Dict[str, Questions] = {}
        self._learned: Dict[Tuple[str, ...], List[float]] = {}
        self._stored: Tuple[List[str], bool] = ([], False)
        self.mvpp["program"], self.mvpp["program_pr"], self.mvpp["program_asp"] = self.parse(obs="")

    # --- the program's text ---

    def constReplacement(self, t: str) -> str:  # noqa: N802
        """The term with the values of constants instead of their names."""
        text = ",".join(parts_of(t, ","))
        return _WORD.sub(lambda word: self.const.get(word.group(), word.group()), text) if self.const else text

    def nnAtom2MVPPrules(self, nnAtom: str) -> List[str]:  # noqa: N802, N803
        """The probabilistic rules for a neural atom ``nn(m(e,t),(v1,v2,...))``, which is made known to this object."""
        call, outcomes = parts_of(nnAtom.strip()[3:-1], ",")
        m, arguments = call[:-1].split("(", 1)
        m = m.strip()
        e, *terms = parts_of(arguments, ",")
        t = self.constReplacement(",".join(terms))
        events = int(self.constReplacement(e))
        domain = parts_of(outcomes.strip()[1:-1], ",")
        self.n[m] = n = 1 if len(domain) == 2 else len(domain)
        self.e[m] = events
        self.domain[m] = domain
        self.nnOutputs.setdefault(m, {}).setdefault(t, None)
        self.nnGradients.setdefault(m, {}).setdefault(t, None)
        rules = []
        for i in range(events):
            atoms = [f"{m}({i}, {t}, {value})" for value in domain]
            rules.append("; ".join(f"@0.0 {atom}" for atom in atoms) + ".")
            self.mvpp["nnProb"].append([(m, i, t, j) for j in range(n)])
            self.mvpp["atom"].append(atoms)
            self.mvpp["nnPrRuleNum"] += 1
        return rules

    def parse(self, obs: str = "") -> Tuple[str, str, str]:
        """Reads the program: all of it with probabilistic rules for neural ones, these rules, and the other rules."""
        found = statements(self.dprogram + obs)
        self.const.update(constants_of(self.dprogram + obs))
        detectors = Detectors(found)
        self._questions = self._text(core_text(detectors.rewritten, self.dprogram + obs))
        self._read_rules()
        self.yoloInfo.extend(detectors.found(self._questions))
        for m, t, domain in self.yoloInfo:
            self.n[m], self.e[m], self.domain[m] = len(domain), "yolo", domain
            self.nnOutputs.setdefault(m, {}).setdefault(t, None)
        neural = [rule for atom in neural_atoms(self._questions, "") for rule in self.nnAtom2MVPPrules(atom)]
        others = list(lines_of([one for one in found if not is_neural(one)]))
        return "\n".join(neural + others), "\n".join(neural), "\n".join(others)

    def _read_rules(self) -> None:
        """The probabilities of ordinary rules, as far as they are not known: learned ones are kept."""
        rules = self._questions.program._core.probabilistic_rules()
        self._rule_atoms = [atoms_key(atoms) for _, atoms, _, _ in rules]
        if not rules or self.normalProbs is not None:
            return
        self.normalProbs = [list(probabilities) for _, _, probabilities, _ in rules]
        self._learnable: List[List[bool]] = []
        self._remaining: List[float] = []
        for text, _, probabilities, learnable in rules:
            written = probabilistic_rule(text)
            flags = written.learnable if written is not None else [learnable] * len(probabilities)
            self._learnable.append(flags)
            self._remaining.append(1 - sum(p for p, learned in zip(probabilities, flags) if not learned))

    def _text(self, text: str) -> Questions:
        """The questions about a text; a few texts are kept."""
        found = self._texts.pop(text, None) or Questions(text)
        if len(self._texts) > 16:
            del self._texts[next(iter(self._texts))]
        self._texts[text] = found
        return found

    def _static_calls(self) -> List[Call]:
        """The calls that need no observation."""
        return [(m, t) for m, terms in self.nnOutputs.items() if self.e[m] != "yolo" for t in terms]

    def _engine(self, method: str, optimal: bool, proposition1: bool = True) -> Engine:
        key = (method, optimal, proposition1)
        if key not in self._engines:
            self._engines[key] = Engine(self._questions, method, optimal, proposition1)
        engine = self._engines[key]
        if engine.rule_numbers is not None and self.normalProbs is not None:
            engine.rule_numbers.copy_(torch.tensor([p for rule in engine.rules for p in self.normalProbs[rule[3]]]))
        return engine

    @staticmethod
    def satisfy(model: Sequence[str], asp: str) -> bool:
        """Whether the model, a list of atoms, satisfies the program: its constraints hold, with what its rules derive."""
        return satisfies(model, asp)

    @property
    def stableModels(self) -> List[List[List[str]]]:  # noqa: N802
        """The stable models for each observation of the last ``learn`` with ``storeSM``; made when they are looked at."""
        observations, optimal = self._stored
        outputs = _core.Outputs()
        for m, i, t, _ in (rule[0] for rule in self.mvpp["nnProb"]):
            if i == 0:
                count = len(self.domain[m])
                outputs.set(m, t, [1 / count] * count * self.e[m])
        return [[model["atoms"] for model in self._questions.models(text, outputs, optimal=optimal)]
                for text in observations]

    # --- inference ---

    def _renamed(self, data: Mapping[str, Any]) -> Dict[str, Any]:
        """The data with the values of constants in its keys; the caller's dictionary stays as it is."""
        return {self.constReplacement(key): value for key, value in data.items()}

    def _output(self, m: str, item: Any) -> Any:
        """The output of a network; the item is a tensor, or a tuple of a tensor and labels."""
        tensor = item[0] if isinstance(item, tuple) else item
        return self.nnMapping[m](tensor.to(self.device) if hasattr(tensor, "to") else tensor)

    def _distribution(self, m: str, numbers: List[float]) -> List[float]:
        """Outputs as distributions: positive, each row with the sum 1; a single column gets its second one."""
        count = len(self.domain[m])
        if count == 2 and len(numbers) == self.e[m]:
            numbers = [p for first in numbers for p in (first, 1 - first)]
        rows: List[float] = []
        for i in range(0, len(numbers), count):
            row = numbers[i:i + count]
            normalize(row, [True] * count, 1.0, _EPS)
            rows.extend(row)
        return rows

    def infer(self, dataDic: Mapping[str, Any], obs: str = "", mvpp: str = "",  # noqa: N803
              postProcessing: Any = None) -> List[List[str]]:  # noqa: N803
        """A list of one most probable stable model, a list of atoms; an empty list if there is no stable model.

        ``dataDic`` maps terms to tensors. The rules are those of ``mvpp``, or the program's own if it is empty. For
        detectors (``e`` is ``yolo``), ``postProcessing`` turns the output into boxes (label, x1, y1, x2, y2, confidence).
        """
        data = self._renamed(dataDic)
        boxes = ""
        outputs = _core.Outputs()
        calls = self._calls_under(obs)
        with torch.no_grad():
            for m, t in calls:
                self.nnMapping[m].eval()
                self.nnOutputs[m][t] = numbers = self._output(m, data[t]).reshape(-1).tolist()
                outputs.set(m, t, self._distribution(m, numbers))
            for m, t, _ in self.yoloInfo:
                self.nnMapping[m].eval()
                self.nnOutputs[m][t] = Detectors.detect(self._output(m, data[t]), postProcessing)
                boxes += Detectors.rules(m, t, self.nnOutputs[m][t], self.domain[m])
        text = self._with_calls(boxes + (mvpp or self.mvpp["program_asp"]), calls)
        questions = self._text(text)
        if self._learned:
            for index, (_, atoms, _, _) in enumerate(questions.program._core.probabilistic_rules()):
                if atoms_key(atoms) in self._learned:
                    outputs.set_rule(index, self._learned[atoms_key(atoms)])
        return questions.most_probable(obs, outputs)

    def _calls_under(self, obs: str) -> List[Call]:
        """The calls of networks; facts of the observation may bring more."""
        calls = self._static_calls()
        if obs.strip() and any(not one.startswith((":-", ":~", "#")) for one in statements(obs)):
            for atom in neural_atoms(self._questions, obs):
                call = call_of(atom)
                if call not in calls:
                    calls.append(call)
                    known = self.mvpp["nnPrRuleNum"], len(self.mvpp["nnProb"])
                    self.nnAtom2MVPPrules(atom)
                    # It belongs to this observation only.
                    self.mvpp["nnPrRuleNum"] = known[0]
                    del self.mvpp["nnProb"][known[1]:], self.mvpp["atom"][known[1]:]
                    del self._forgotten(call)[call[1]]
        return calls

    def _forgotten(self, call: Call) -> Dict[str, Any]:
        self.nnGradients[call[0]].pop(call[1], None)
        return self.nnOutputs[call[0]]

    def _with_calls(self, rules: str, calls: Sequence[Call]) -> str:
        """A program of these rules and neural rules for the calls; the program's constants hold in it, too."""
        neural = "".join(f"nn({m}({self.e[m]},{t}),[{','.join(self.domain[m])}]).\n" for m, t in calls)
        own = constants_of(rules)
        constants = "".join(f"#const {name}={value}.\n" for name, value in self.const.items() if name not in own)
        return constants + neural + core_text(statements(rules), rules)


def core_text(found: Sequence[str], text: str) -> str:
    """The program as the library takes it: learnable probabilities are normalized first, as the original does."""
    changed = False
    made = []
    for statement in found:
        rule = probabilistic_rule(statement)
        if rule is not None and any(rule.learnable) and abs(sum(rule.probabilities) - 1) > 1e-9:
            remaining = 1 - sum(p for p, learned in zip(rule.probabilities, rule.learnable) if not learned)
            normalize(rule.probabilities, rule.learnable, remaining, _EPS)
            statement = "; ".join(f"@{p!r} {atom}" for p, atom in zip(rule.probabilities, rule.atoms)) + "."
            changed = True
        made.append(statement)
    return "\n".join(made) + "\n" if changed or made != statements(text) else text + "\n"


def atoms_key(atoms: Sequence[str]) -> Tuple[str, ...]:
    """The atoms of a probabilistic rule, however they are spaced."""
    return tuple(without_spaces(atom) for atom in atoms)


def neural_atoms(questions: Questions, observation: str) -> List[str]:
    """The ground neural atoms, ``nn(m(e,t),(v1,...))``."""
    return [f"nn({network}({events},{terms}),({','.join(outcomes)}))"
            for _, _, outcomes, network, terms, event, events in questions.variables(observation)
            if network and event == 0]


def call_of(atom: str) -> Call:
    """Network and terms of a ground neural atom."""
    call = parts_of(atom[3:-1], ",")[0]
    name, arguments = call[:-1].split("(", 1)
    return name, ",".join(parts_of(arguments, ",")[1:])

