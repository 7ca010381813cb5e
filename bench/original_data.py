"""Stands in for what the original's repository lacks: boards, trained networks, and the detector of the toy car.

Its Sudoku pictures and trained networks are behind links, and yolov3.weights has 248 MB. Boards are rendered ones, networks are
trained here for two minutes, on the picture that the script reads as well (or left untrained where only equal answers matter),
detections are recorded ones. The scripts
themselves stay as they are, except that the toy car's module dataGen returns the recorded detections.
"""

import csv
import gzip
import pathlib
import pickle
import shutil
import subprocess

MODELS = pathlib.Path(__file__).resolve().parent.parent / "build/compare-original-models"
SOLVING_BOARDS = 200
# The digits of the original's picture of an offset Sudoku, as one reads them.
OFFSET_PICTURE = "200106000000300000030080204000000040098000100603740090800000000000862000072000460"

# Trains the network of a folder on its data set, as dataGen reads it.
TRAIN = """
import sys, time, torch
sys.path.insert(0, ".")
torch.manual_seed(1)
torch.set_num_threads(1)
from dataGen import dataset, loadImage
import network
net = getattr(network, sys.argv[1])()
boards = [dataset[i] for i in map(int, sys.argv[3].split(","))]
picture = (loadImage(sys.argv[4])[0], torch.tensor([int(digit) for digit in sys.argv[5]]))
boards += [picture] * 5
x = torch.stack([board for board, _ in boards])
y = torch.stack([torch.as_tensor(label).reshape(81) for _, label in boards]).long()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
started, right = time.process_time(), 0.0
while time.process_time() - started < 120 and right < 1.0:
    right = 0.0
    for part in torch.randperm(len(x)).split(5):
        output = net(x[part])
        loss = torch.nn.functional.nll_loss(torch.log(output.clamp_min(1e-9)).reshape(-1, 10), y[part].reshape(-1))
        optimizer.zero_grad(); loss.backward(); optimizer.step()
    net.eval()
    with torch.no_grad():
        right = (torch.cat([net(part).argmax(-1) for part in x.split(5)]) == y).float().mean().item()
    net.train()
print(sys.argv[1], "reads", right, "of the cells it was trained on")
torch.save(net.state_dict(), sys.argv[2])
"""

# Saves the weights of the script's network as they are made: both sides test the same ones.
UNTRAINED = """
import sys, torch
sys.path.insert(0, ".")
torch.manual_seed(1)
from network import {cls}
torch.save({cls}({arguments}).state_dict(), {path!r})
"""

DETECTOR = '''
import json
import torch

def termPath2dataList(termPath, img_size, domain):
    """Recorded detections instead of a detector."""
    factsList, dataList = [], []
    for image in json.load(open("detections.json"))["images"].values():
        facts, data = "", {}
        kept = [found for found in image["detections"] if found["kept"]]
        for i, found in enumerate(kept):
            facts += "box(img,b{}, {}, {}, {}, {}).\\n".format(i, *found["box_px"])
            row = torch.zeros([1, len(domain)], dtype=torch.float64)
            row[0, domain.index(found["label"]) if found["label"] in domain else -1] += round(found["class_conf"], 3)
            data["img,b{}".format(i)] = row
        factsList.append(facts)
        dataList.append(data)
    return factsList, dataList
'''


def _pictures(path, shape):
    import numpy

    with gzip.open(path) as file:
        numbers = numpy.frombuffer(file.read(), dtype=numpy.uint8)
    size = 1
    for length in shape:
        size *= length
    count = (len(numbers) - 16) // size
    return numbers[len(numbers) - count * size:].reshape(count, *shape)


def _dump(path, thing):
    with open(path, "wb") as file:
        pickle.dump(thing, file)


def _grid(digits):
    import numpy

    return numpy.array([int(digit) for digit in digits], dtype=numpy.int32).reshape(9, 9)


def _rows(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")
    with opened as file:
        return list(csv.reader(file))


def _train(folder, python, network, model, indices, picture):
    kept = MODELS / f"{folder.name}.pt"
    if not kept.exists():
        MODELS.mkdir(parents=True, exist_ok=True)
        subprocess.run([python, "-W", "ignore", "-c", TRAIN, network, str(kept), ",".join(map(str, indices)), *picture],
                       cwd=folder, check=True)
    for name in model:
        shutil.copy(kept, folder / "data" / name)


def _sudoku(folder, data, python):
    rows = _rows(data / "sudoku_boards/opensky_labels.csv")[1:]
    pictures = _pictures(data / "sudoku_boards/opensky-clean-250-idx3-ubyte.gz", (250, 250))
    _dump(folder / "data/image_dict_reg_100.p",
          {row[1]: picture[:, :, None].repeat(3, 2) for row, picture in zip(rows, pictures)})
    _train(folder, python, "Sudoku_Net", [f"model_data{n}.pt" for n in (15, 17, 19, 21, 23, 25)],
           [int(row[0]) for row in rows if row[2] == "train"], ("data/sudoku.png", rows[0][4]))


def _offset(folder, data, python):
    rows = _rows(data / "sudoku_boards/offset_labels.csv")[1:]
    pictures = _pictures(data / "sudoku_boards/offset-250x250x3-idx4-ubyte.gz", (250, 250, 3))
    _dump(folder / "data/image_dict_offset.p", {row[0]: picture for row, picture in zip(rows, pictures)})
    _dump(folder / "data/label_dict_offset.p", {row[0]: _grid(row[2]) for row in rows})
    _train(folder, python, "Sudoku_Net_Offset_bn", ["model_data70.pt"], range(70),
           ("data/offset_sudoku.png", OFFSET_PICTURE))


def _solving(folder, data, python):
    rows = [row for row in _rows(data / "sudoku_text/park_test1k.csv.gz") if row[0].isdigit()][:SOLVING_BOARDS]
    (folder / "data").mkdir(exist_ok=True)
    for name, column in (("given", 0), ("solved", 1)):
        _dump(folder / f"data/easy_130k_{name}.p", {i: _grid(row[column]) for i, row in enumerate(rows)})
    _untrained(folder, python, "Sudoku_Net", "", "data/model_epoch60.pt")


def _untrained(folder, python, cls, arguments, path):
    text = UNTRAINED.format(cls=cls, arguments=arguments, path=path)
    subprocess.run([python, "-W", "ignore", "-c", text], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _path(folder, data, python):
    _untrained(folder, python, "FC", "40, 50, 50, 50, 50, 50, 24", "data/model.pt")


def _top_k(folder, data, python):
    _untrained(folder, python, "FC", "10, 50, 50, 50, 50, 50, 10", "data/model.pt")


def _toycar(folder, data, python):
    shutil.copy(data / "toycar/detections_yolov5s.json", folder / "detections.json")
    (folder / "dataGen.py").write_text(DETECTOR)


# What completes each folder that lacks something.
_FOLDERS = {"sudoku": _sudoku, "offset_sudoku": _offset, "solvingSudoku_70k": _solving, "shortest_path": _path,
            "most_reliable_path": _path, "top_k": _top_k, "toycar": _toycar}


def stand_in(examples, data, python, names):
    """Completes the example folders with these names, of a copy of the checkout. Returns those that lacked something."""
    completed = [name for name in _FOLDERS if name in names]
    for name in completed:
        _FOLDERS[name](examples / name, data, python)
    return completed
