"""The pictures of a run. Each function draws one from the results, or returns None if its benchmark was not run."""

from chart import Curve, CurvePanel, Mark, RowPanel, draw_curves, draw_rows, draw_shares, short
from frontier.scatter import picture as frontier
from queries import ENGINES, WORKLOADS
from results import lines

COUNTS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000]


def engines(results):
    found = {(line["name"], line["engine"]): line for line in lines(results, "queries")}
    names = [name for name in WORKLOADS if any((name, engine) in found for engine in ENGINES)]
    if not names:
        return None

    def marks(name, field, has_limit):
        present = [(i, found[name, engine]) for i, engine in enumerate(ENGINES) if (name, engine) in found]
        return [Mark(i, line[field] if line["ms"] else None, line["limit_ms"] if has_limit else None)
                for i, line in present if line["ms"] or has_limit]

    limit = short(max(line.get("limit_ms", 0) for line in found.values()) / 1e3)
    return draw_rows(
        "Engine against engine: time and memory of one question", [WORKLOADS[name] for name in names],
        [RowPanel("Processor time", "ms", [marks(name, "ms", True) for name in names]),
         RowPanel("Peak memory", "MB", [marks(name, "megabytes", False) for name in names])],
        ["circuit", "enumeration", "clingo"],
        f"P(O) by neurasp prob with --engine circuit and --engine enumerate; clingo only counts the stable models. "
        f"Hollow: not finished in {limit} s.", label_width=170)


def times(ratio):
    return f"{ratio:,.0f} times" if ratio >= 10 else f"{ratio:.2g} times"


def against_clingo(results):
    rows = [line for name in ("grounding", "enumeration", "sudoku") for line in lines(results, name)
            if line.get("clingo_ms")]
    if not rows:
        return None
    return draw_rows(
        "The same work by clingo", [line["name"] for line in rows],
        [RowPanel("Processor time", "ms", [[Mark(0, line["ours_ms"]), Mark(1, line["clingo_ms"])] for line in rows],
                  notes=[times(line["clingo_by_ours"]) for line in rows])],
        ["neurasp, in process", "clingo, its process started each time"],
        "At the right: clingo's time divided by ours. clingo is cut off after 5 s on Sudoku boards.",
        label_width=400, panel_width=380, note_width=80)


def growth(results):
    found = lines(results, "growth")
    titles = list(dict.fromkeys(line["series"] for line in found))
    if not titles:
        return None

    def curves(field, **more):
        return [Curve(i, [(line["size"], line.get(field)) for line in found if line["series"] == title], **more)
                for i, title in enumerate(titles)]

    limit = max(line["enumerate_limit_ms"] for line in found)
    return draw_curves(
        "Growth with the size of the problem",
        [CurvePanel("Time to compile, ms", "N", curves("enumerate_ms", dashed=True, limit=limit)
                    + curves("compile_ms"), COUNTS),
         CurvePanel("Size of the circuit, nodes", "N", curves("nodes"), COUNTS),
         CurvePanel("Time to evaluate, µs per example", "N", curves("batch256_us"), COUNTS)],
        titles,
        f"Dashed, hollow: enumeration of the same question; …: not finished in {limit / 1e3:g} s. "
        "Evaluation: log P(O) and all its derivatives, double precision, 256 examples at once.")


def evaluation(results):
    found = [line for name in ("circuit", "growth") for line in lines(results, name) if line.get("batch256_us")]
    if not found:
        return None
    fields = {"one example, double": "batch1_us", "256 examples, double": "batch256_us",
              "256 examples, float": "batch256_float_us"}
    curves = [Curve(i, [(line["edges"], line[field]) for line in found], connected=False)
              for i, field in enumerate(fields.values())]
    return draw_curves("Evaluation by the size of the circuit",
                       [CurvePanel("Forward and backward, µs per example", "edges of the circuit", curves)],
                       list(fields), "One dot: one workload. log P(O) and all its derivatives, one thread.",
                       width=560, height=320)


def bandwidth(results):
    found = [line for line in lines(results, "bandwidth") if line.get("batch1_gb_s")]
    if not found:
        return None

    def panel(title, batch):
        def curve(series, field):
            return Curve(series, [(line[f"{batch}_buffer_bytes"], line[f"{batch}_{field}"]) for line in found],
                         connected=False)
        return CurvePanel(title, "bytes worked on", [curve(0, "gb_s"), curve(1, "triad_gb_s")],
                          line_at=found[0]["memory_gb_s"])

    return draw_curves("Evaluation by the bandwidth of memory",
                       [panel("256 examples, GB/s", "batch256"), panel("One example, GB/s", "batch1")],
                       ["evaluation", "triad over as many bytes"],
                       "One pair of dots: one workload, values and derivatives in float. The line: a triad in main memory.")


def training(results):
    found = lines(results, "training")
    if not found:
        return None
    labels = [line["name"] for line in found]
    ratios = RowPanel("Time of an epoch, rules by bare network", "ratio",
                      [[Mark(0, line["ratio"])] for line in found], log=False,
                      notes=[f"{line['ratio']:.2f}" for line in found], line_at=1.0)
    return draw_rows("Training with rules against the bare network", labels, [ratios], ["rules / bare network"],
                     "1: the rules cost nothing. Medians of epochs that ran in turn, the first left out; one thread.",
                     label_width=230, panel_width=420, note_width=30)


def steps(results):
    found = lines(results, "training")
    if not found:
        return None
    rows = [[line["data_share"], 1 - line["data_share"] - line["symbolic_share"], line["symbolic_share"]]
            for line in found]
    notes = [f"{line['rules_epoch_seconds'] / line['pairs'] * 1e3:.2g} ms per example" for line in found]
    return draw_shares("Where a training step goes", [line["name"] for line in found], rows,
                       ["making batches", "networks, optimiser", "rules: log P(O), gradient"], notes=notes,
                       label_width=230)


def plans(results):
    found = lines(results, "plans")
    if not found:
        return None
    return draw_rows("What an observation costs, once", [line["name"] for line in found],
                     [RowPanel("Making its plan", "ms", [[Mark(0, line["ms_per_plan"]),
                                                          *([Mark(1, line["ms_alone"])] if "ms_alone" in line else [])]
                                                         for line in found]),
                      RowPanel("Memory that it keeps", "bytes", [[Mark(0, line["bytes_per_plan"])] for line in found])],
                     ["together with the others", "on its own"],
                     "Reading, grounding and compiling a different observation, its share of what they share included.", label_width=240, panel_width=260)


def python(results):
    found = lines(results, "python")
    if not found:
        return None
    ratios = RowPanel("Ours by the other", "ratio", [[Mark(0, line["ratio"])] for line in found],
                      notes=[f"{line['ratio']:.2f}" + (f", {line['overhead_us']:.0f} µs more" if "overhead_us" in line else "")
                             for line in found], line_at=1.0)
    return draw_rows("The Python package against the same work without it", [line["name"] for line in found], [ratios],
                     ["ours / other"], "A step with rules by one with labels; a call by the C++ core; a torch circuit by the "
                     "C++ evaluator, batch 256. One thread.", label_width=230, panel_width=420,
                     note_width=140)


PICTURES = {"engines": engines, "against-clingo": against_clingo, "growth": growth, "evaluation": evaluation, "bandwidth": bandwidth,
            "training": training, "steps": steps, "plans": plans, "python": python, "frontier": frontier}


def write_pictures(results, folder):
    """The names of the pictures that could be drawn."""
    drawn = []
    for name, draw in PICTURES.items():
        svg = draw(results)
        if svg is not None:
            (folder / f"{name}.svg").write_text(svg)
            drawn.append(name)
    return drawn
