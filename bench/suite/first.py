"""First epochs, and what else delays a run: preparing the observations of whole training splits, evaluation with sets of
constraints, the start of the command, a mistake in the experiment file.

Pictures are those of examples/data, drawn at random; paths are generated as the experiments do.
"""

import gzip
import random

from plans import SUM_RULES, sums_of
from processes import json_lines, measure, reason, run

PICTURES = "examples/data/mnist-subset-train-{}-ubyte.gz"
EXPERIMENT = """\
program = "program.lp"
seed = 1
[networks.{network}]
preset = "digit-cnn"
optimizer = {{ kind = "adam", learning_rate = 0.001 }}
[example]
observation = "{observation}"
[example.inputs]
{inputs}
[splits.train]
table = "table.csv"
[splits.train.arrays.images]
file = "{pictures}"
scale = 255
mean = 0.1307
deviation = 0.3081
channels_first = true
[training]
batch_size = 1
"""
# Experiments with generated paths, the settings that name their files, and their numbers of rows.
PATHS = {
    "shortest path, removed edges": ("shortest_path", "p-r-o-nr.toml", {"rows": 1610, "graphs": 20}),
    "most reliable path": ("most_reliable_path", "rules.toml", {"rows": 3000}),
}


def labels(root):
    with gzip.open(root / PICTURES.format("labels-idx1")) as file:
        return list(file.read()[8:])


def write(context, name, program, network, columns, observation, inputs, rows):
    """The folder of an experiment over pictures."""
    folder = context.work / "first" / name.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "program.lp").write_text(program)
    (folder / "table.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in [columns, *rows]))
    pictures = context.root / PICTURES.format("images-idx3")
    (folder / "experiment.toml").write_text(EXPERIMENT.format(
        network=network, observation=observation, pictures=pictures,
        inputs="\n".join(f'"{term}" = "images[{column}]"' for term, column in inputs)))
    return folder / "experiment.toml"


def multi_digit(context, digits, count):
    """Sums of two numbers with so many digits each, as one constraint for each digit of the sum."""
    known, source = labels(context.root), random.Random(digits)
    places = [(number, place) for number in "ab" for place in range(digits)]
    rows = []
    for _ in range(count):
        pictures = [source.randrange(len(known)) for _ in places]
        total = sum(known[picture] * 10**place for picture, (_, place) in zip(pictures, places))
        rows.append([*pictures, *(total // 10**i % 10 for i in range(digits)), total // 10**digits])
    columns = [f"{number}{place}" for number, place in places]
    observation = " ".join([*(f":- not s({i},{{s{i}}})." for i in range(digits)), f":- not carry({digits},{{last}})."])
    return write(context, sums_of(digits), SUM_RULES.format(last=digits - 1), "d",
                 [*columns, *(f"s{i}" for i in range(digits)), "last"], observation,
                 [(f"{number},{place}", f"{number}{place}") for number, place in places], rows)


def two_digit_sums(context, count):
    known, source = labels(context.root), random.Random(2)
    rows = [[source.randrange(len(known)) for _ in range(4)] for _ in range(count)]
    rows = [[*row, 10 * (known[row[0]] + known[row[2]]) + known[row[1]] + known[row[3]]] for row in rows]
    return write(context, "two-digit sums", (context.root / "experiments/mnist_tasks/mnistAdd2.lp").read_text(), "digit",
                 ["i1", "i2", "i3", "i4", "total"], ":- not addition({total}).",
                 [(f"i{i}", f"i{i}") for i in range(1, 5)], rows)


def tables(context, count):
    known, source = labels(context.root), random.Random(3)
    rows = []
    for _ in range(count):
        a, b, c, d = pictures = [source.randrange(len(known)) for _ in range(4)]
        a, b, c, d = known[a], known[b], known[c], known[d]
        rows.append([*pictures, a + b, c + d, a + c, b + d])
    return write(context, "add2x2", (context.root / "experiments/mnist_tasks/add2x2.lp").read_text(), "digit",
                 ["i1", "i2", "i3", "i4", "r1", "r2", "c1", "c2"], ":- not add2x2({r1},{r2},{c1},{c2}).",
                 [(f"i{i}", f"i{i}") for i in range(1, 5)], rows)


def path_data(context, experiment, sizes):
    """The folder with generated paths, and the settings that name its files."""
    from training import make_data

    make_data(context, experiment, sizes)
    data = context.work / experiment / "data"
    values = {"arrays.graphs.file": "graphs.csv", "table": "examples.csv", "rows_file": "{split}.rows"}
    return {split: [f"splits.{split}.{key}={data / name.format(split=split)}" for key, name in values.items()]
            for split in ("train", "validation", "test")}


def train(context, name, file, batch, epochs, pairs, bare, settings=()):
    command = [context.program("training_bench"), "--experiment", file, "--batch", batch, "--epochs", epochs, "--pairs",
               pairs, "--bare", "yes" if bare else "no", "--name", name]
    for setting in settings:
        command += ["--set", setting]
    return json_lines(command, name, context.root)


def first_epoch(context, name, make):
    try:
        file, settings = make()
    except RuntimeError as error:
        return [{"name": name, "correct": False, "detail": str(error)}]
    return [{**line, "name": name, "part": "first epoch"} for line in
            train(context, name, file, 1, 2, 0, False, settings)]


def path_epoch(context, name):
    experiment, file, sizes = PATHS[name]
    data = path_data(context, experiment, {**sizes, "rows": 60} if context.quick else sizes)
    splits = ("train", "validation") if experiment == "shortest_path" else ("train",)
    return (context.root / "experiments" / experiment / file,
            [setting for split in splits for setting in data[split]])


def steady_epoch(context, digits):
    """Against the bare network: about as many pictures at every number of digits."""
    count = 128 if context.quick else max(256, 4000 // (2 * digits))
    file = multi_digit(context, digits, count)
    name = sums_of(digits)
    epochs = 4 if context.quick else 12  # an epoch is short, and a busy machine disturbs some
    return [{**line, "part": "steady epoch"} for line in train(context, name, file, 64, epochs, 0, True)]


def evaluation(context):
    """Five sets of constraints on 322 examples, with an untrained network."""
    name = "five sets of constraints"
    folder = context.root / "experiments/shortest_path"
    try:
        sizes = PATHS["shortest path, removed edges"][2]
        data = path_data(context, "shortest_path", {**sizes, "rows": 60} if context.quick else sizes)
        weights = context.work / "first/untrained"
        settings = [part for split in ("train", "validation") for one in data[split] for part in ("--set", one)]
        finished = run([context.command(), "train", folder / "none.toml", "--no-report", "--overwrite", *settings,
                        "--set", "training.epochs=0", "--set", f"output={weights}"])
        if finished.status != 0:
            raise RuntimeError(reason(finished))
        command = [context.command(), "evaluate", folder / "measure.toml", "--weights", weights, "--format", "json",
                   *settings, *(part for one in data["test"] for part in ("--set", one))]
        measured = measure(context.program("measured_process"), 600, command)
    except RuntimeError as error:
        return [{"name": name, "correct": False, "detail": str(error)}]
    return [{"name": name, "part": "command", "seconds": measured.ms / 1e3, "correct": measured.status == 0,
             "detail": "" if measured.status == 0 else measured.errors.strip()[-200:]}]


def start(context):
    """The start of `train` until its first step, and a mistake in the experiment file."""
    experiment = context.root / "examples/addition/addition.toml"
    rows = []
    for name, settings, status in (("train, no epochs", ["training.epochs=0"], 0),
                                   ("train, a mistake in the file", ["training.epoch=0"], 3)):
        command = [context.command(), "train", experiment, "--no-report", "--overwrite",
                   *(part for one in settings for part in ("--set", one)), "--set", f"output={context.work / 'first/start'}"]
        times = [measure(context.program("measured_process"), 60, command) for _ in range(3 if context.quick else 7)]
        right = all(one.status == status for one in times)
        rows.append({"name": name, "part": "command", "seconds": sorted(one.ms for one in times)[len(times) // 2] / 1e3,
                     "correct": right, "detail": "" if right else f"exit status {[one.status for one in times]}"})
    return rows


def units(context, Unit):
    few = context.quick
    made = [("two-digit sums", lambda: (two_digit_sums(context, 60 if few else 15000), [])),
            ("add2x2", lambda: (tables(context, 60 if few else 3000), []))]
    made += [(name, lambda n=name: path_epoch(context, n)) for name in PATHS]
    found = [Unit(name, 60, lambda n=name, m=make: first_epoch(context, n, m)) for name, make in made]
    found += [Unit(sums_of(n), 30, lambda k=n: steady_epoch(context, k)) for n in
              ((4,) if few else (1, 2, 4, 8, 15))]
    return [*found, Unit("five sets of constraints", 10, lambda: evaluation(context)),
            Unit("start", 10, lambda: start(context))]
