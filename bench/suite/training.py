"""Training with rules compared with the bare network, in turn.

Sums of digits: training_bench, which also trains the bare network in a plain loop. Shortest paths and Sudoku: the
experiments' own files, with rules and with labels, on generated data; one after the other, twice. The median epoch
counts, without the first, which compiles."""

import json
import statistics

from processes import json_lines, reason, run

BATCHES = [1, 4, 16, 64]
TASKS = {
    "shortest path": ("shortest_path", "p-r-o.toml", "none.toml", {"rows": 400, "graphs": 20}, 8, 12),
    "Sudoku": ("sudoku_solving", "rules.toml", "labels.toml", {"train": 256, "test": 8}, 64, 4),
}


def units(context, Unit):
    addition = [Unit(f"sums, batches of {batch}", 4 + 16 / batch, lambda b=batch: sums(context, b))
                for batch in ([64] if context.quick else reversed(BATCHES))]
    others = [] if context.quick else [Unit(name, 45, lambda n=name: compare(context, n)) for name in TASKS]
    return addition + others


def sums(context, batch):
    pairs, epochs = (400, 2) if context.quick else (2000 if batch > 1 else 1000, 10 if batch > 4 else 6)
    lines = json_lines([context.program("training_bench"), "--batch", batch, "--pairs", pairs, "--epochs", epochs],
                       "sums of two digits", context.root)
    return [{**line, "task": "sums of two digits"} for line in lines]


def settings(data, task, folder):
    if task == "shortest path":
        values = {"arrays.graphs.file": "graphs.csv", "table": "examples.csv", "rows_file": "{split}.rows"}
        splits = ("train", "validation")
    else:
        values = {"arrays.boards.file": "{split}.idx", "table": "{split}.csv"}
        splits = ("train", "test")
    for split in splits:
        for key, name in values.items():
            yield f"splits.{split}.{key}={data / name.format(split=split)}"
    yield f"output={folder}"


def epochs_of(context, task, file, folder, count, batch):
    experiment, rules = TASKS[task][0], TASKS[task][1]
    arguments = [f"training.epochs={count}", f"training.batch_size={batch}", "training.evaluate_every=0",
                 "training.threads=1", *settings(context.work / experiment / "data", task, folder)]
    if task == "Sudoku" and file == rules:
        arguments.append(f"splits.train.table={context.work / experiment / 'data/puzzles.csv'}")
    command = [context.command(), "train", context.root / "experiments" / experiment / file, "--format", "json",
               "--no-report", "--overwrite", *(f"--set={argument}" for argument in arguments)]
    finished = run(command)
    if finished.status != 0:
        raise RuntimeError(reason(finished))
    return json.loads(finished.output)["epochs"]


def make_data(context, experiment, sizes):
    tool, folder = context.root / "experiments" / experiment / "make_data", context.work / experiment
    counts = [part for name, value in sizes.items() for part in (f"--{name}", value)]
    convert = [tool, "convert", folder / "raw", folder / "data", *(counts if experiment == "sudoku_solving" else [])]
    for command in ([tool, "generate", folder / "raw", *counts], convert):
        finished = run(command)
        if finished.status != 0:
            raise RuntimeError(reason(finished))


def total(epoch):
    return sum(epoch["seconds"][phase] for phase in ("data", "network", "symbolic"))


def compare(context, task):
    experiment, rules, bare, sizes, batch, count = TASKS[task]
    try:
        make_data(context, experiment, sizes)
        seen = {rules: [], bare: []}
        first = []
        for turn in range(2):
            for file in (rules, bare):
                epochs = epochs_of(context, task, file, context.work / f"{experiment}-{turn}-{file}", count, batch)
                seen[file] += epochs[1:]
                first += epochs[:1] if file == rules else []
    except RuntimeError as error:
        return [{"name": f"{task}, batches of {batch}", "task": task, "correct": False, "detail": str(error)}]
    seconds = {file: statistics.median(map(total, epochs)) for file, epochs in seen.items()}
    with_rules = sum(map(total, seen[rules]))

    def share(phase):
        return sum(epoch["seconds"][phase] for epoch in seen[rules]) / with_rules

    learned = seen[rules][-1]["loss"] < first[-1]["loss"]
    return [{"name": f"{task}, batches of {batch}", "task": task, "batch": batch, "pairs": seen[rules][0]["examples"],
             "epochs": count, "rules_epoch_seconds": seconds[rules], "bare_epoch_seconds": seconds[bare],
             "ratio": seconds[rules] / seconds[bare], "symbolic_share": share("symbolic"), "data_share": share("data"),
             "compile_seconds": statistics.median(epoch["seconds"]["compile"] for epoch in first),
             "correct": learned, "detail": "" if learned else "the loss did not become smaller"}]
