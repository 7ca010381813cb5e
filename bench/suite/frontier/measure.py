"""Asks `neurasp prob --engine circuit` for the probability of each instance, as a process with a limit on its processor
time, and compares the answer with the values of other systems or with a computation without circuits."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from processes import measure, reason
from queries import repeated

from .catalogue import FAMILIES, instances

EXPECTED = Path(__file__).with_name("expected.json")
# The other systems' values are printed with 6 to 16 digits; ours and the computations in Python are rounded in other orders.
PEER_TOLERANCE = 1e-6
TOLERANCE = 1e-9
QUICK_LIMIT = 5
QUICK_MOST = 2  # of each family, in quick mode


@dataclass
class Wishes:
    """Options of the command line."""
    only: list = field(default_factory=list)  # families
    seed: int | None = None
    limit: int = 40  # seconds
    road_r: Path | None = None  # the file of requirements


def expected():
    return json.loads(EXPECTED.read_text())["instances"]


def units(context, Unit):
    wishes = context.wishes
    requirements = wishes.road_r.read_text() if wishes.road_r else None
    known = expected() if wishes.seed is None else {}
    found = instances(wishes.seed, wishes.only, requirements)
    if context.quick:
        found = [i for name in FAMILIES for i in [i for i in found if i.family == name][:QUICK_MOST]]
    limit = min(wishes.limit, QUICK_LIMIT) if context.quick else wishes.limit
    return [Unit(i.name, 2, lambda i=i: [ask(context, i, known.get(i.name, {}), limit)]) for i in found]


def ask(context, instance, known, limit):
    folder = context.work / "frontier"
    folder.mkdir(parents=True, exist_ok=True)
    program, observation = folder / f"{instance.name}.lp", folder / f"{instance.name}.obs.lp"
    program.write_text(instance.program)
    observation.write_text(instance.observation)
    question = [program, "--observe-file", observation, "--format", "json"]
    result = repeated(context, limit, [context.command(), "prob", *question, "--engine", "circuit"])
    line = {"name": instance.name, "family": instance.family, "correct": True, "detail": "", "limit_s": limit,
            "seconds": None, "megabytes": result.megabytes, "peer": known.get("peer"), "peer_seconds": known.get("seconds")}
    if result.status is None:
        return {**line, "detail": f"not within {limit} s"}
    if result.status == 5:  # a limit was reached
        return {**line, "detail": reason_of(result)}
    if result.status != 0:
        return {**line, "correct": False, "detail": reason_of(result)}
    answer = json.loads(result.output)["probability"]
    line |= {"seconds": result.ms / 1e3, "probability": answer, **sizes(context, question, limit)}
    return {**line, **checked(instance, known, answer)}


def reason_of(result):
    """Errors are JSON as well, the last one in the last line."""
    try:
        return json.loads(result.errors.splitlines()[-1])["error"]["diagnostics"][0]["message"]
    except (ValueError, LookupError, TypeError):
        return reason(result)


def sizes(context, question, limit):
    """The circuit's size and how it was found, from another process."""
    compiled = measure(context.program("measured_process"), limit, [context.command(), "compile", *question, "--stats"])
    if compiled.status != 0:
        return {"nodes": None, "edges": None, "decisions": None}
    found = json.loads(compiled.output)
    return {"nodes": found["nodes"], "edges": found["edges"], "decisions": found["stats"]["decisions"],
            "search_seconds": found["stats"]["seconds"]["search"]}


def checked(instance, known, answer):
    """Compares with the other systems' value; where there is none, with that of the instance."""
    reference, tolerance, source = known.get("value"), PEER_TOLERANCE, "other systems"
    if reference is None:
        reference, tolerance, source = instance.value(), TOLERANCE, "a computation without circuits"
    if reference is None:
        return {"reference": None, "detail": "not checked: too large for the other ways"}
    wrong = answer is None or abs(answer - reference) > tolerance * reference
    return {"reference": reference, "correct": not wrong, "checked_by": source,
            "detail": f"P(O) is {answer}, {source} say {reference}" if wrong else ""}
