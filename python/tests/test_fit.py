"""The small trainer."""

import base64
import json
import pathlib
import re
import signal
import sys
import threading
import types
import xml.etree.ElementTree as ElementTree

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402
from networks import batch, scored_adder  # noqa: E402
from neurasp.training import Epoch, History  # noqa: E402

SUM = ":- not sum({})."


class Pairs(torch.utils.data.Dataset):
    """Examples whose sums follow from the inputs, so that there is something to learn."""

    def __init__(self, size=64):
        inputs, _ = batch(size, seed=1)
        self.inputs = inputs
        self.sums = [int(inputs["a"][i, :3].argmax() + inputs["b"][i, :3].argmax()) for i in range(size)]

    def __len__(self):
        return len(self.sums)

    def __getitem__(self, index):
        return {name: tensor[index] for name, tensor in self.inputs.items()}, SUM, self.sums[index]


def loader(**settings):
    return torch.utils.data.DataLoader(Pairs(), batch_size=16, shuffle=True, collate_fn=neurasp.collate, **settings)


def weights(program):
    return program.networks["digit"].network.weight.detach().clone()


def test_training_learns_and_keeps_history():
    program = scored_adder()
    torch.manual_seed(1)
    history = neurasp.fit(program, loader(), epochs=30, lr=0.1, verbose=False)
    assert len(history) == 30 and history[-1].loss < 0.5 * history[0].loss
    assert history[0].examples == 64 and history[0].impossible == 0
    assert "epoch 30" in repr(history)
    json.dumps(history.to_dict())


def picture_of(page):
    """The SVG inside an HTML image."""
    return base64.b64decode(re.search(r"src='data:image/svg\+xml;base64,([^']*)'", page).group(1)).decode()


def test_notebooks_show_curves_with_their_scales_and_no_times():
    history = History([Epoch(1, 4.0, 8, 0, 1.25, {"right": 0.125}), Epoch(2, 0.5, 8, 0, 1.75, {"right": 0.875})])
    page = history._repr_html_()
    svg = ElementTree.fromstring(picture_of(page))
    texts = [element.text for element in svg.iter() if element.text]
    assert texts == ["loss: 0.5", "4", "0.5", "epoch 1", "2", "right: 0.875", "0.875", "0.125", "epoch 1", "2"]
    assert "1.25" not in page and "impossible" not in page
    history.epochs[1].impossible = 3
    assert "<th style='text-align:left'>impossible</th>" in history._repr_html_()


def test_a_notebook_is_drawn_into_while_it_runs(monkeypatch):
    pages = []

    class Handle:
        def update(self, page):
            pages.append(page)

    def display(page, display_id):
        pages.append(page)
        return Handle()

    shell = type("ZMQInteractiveShell", (), {})()
    there = types.ModuleType("IPython")
    there.get_ipython = lambda: shell
    there.display = types.ModuleType("IPython.display")
    there.display.HTML, there.display.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", there)
    monkeypatch.setitem(sys.modules, "IPython.display", there.display)
    history = neurasp.fit(scored_adder(), loader(), epochs=2)
    assert len(pages) == 3 and "epoch 1 of 2" in pages[0] and "epoch 2 of 2" in pages[1]
    assert pages[2] == history._repr_html_()


def test_early_stopping_ends_with_the_best_weights():
    program = scored_adder()
    scores = iter([0.5, 0.9, 0.7, 0.6, 0.8])
    kept = []

    def validate(trained):
        kept.append(weights(trained))
        return {"score": next(scores)}

    history = neurasp.fit(program, loader(), epochs=20, validate=validate, patience=2, verbose=False)
    assert [epoch.metrics["score"] for epoch in history] == [0.5, 0.9, 0.7, 0.6]
    assert "no improvement" in history.finished
    assert torch.equal(weights(program), kept[1])


def test_resume_gives_the_same_weights_bit_for_bit(tmp_path):
    torch.manual_seed(2)
    whole = scored_adder()
    neurasp.fit(whole, loader(), epochs=4, folder=str(tmp_path / "whole"), verbose=False)
    torch.manual_seed(2)
    half = scored_adder()
    neurasp.fit(half, loader(), epochs=2, folder=str(tmp_path / "half"), verbose=False)
    torch.manual_seed(99)
    rest = scored_adder(seed=5)
    history = neurasp.fit(rest, loader(), epochs=4, folder=str(tmp_path / "half"), resume=True, verbose=False)
    assert [epoch.number for epoch in history] == [1, 2, 3, 4]
    assert torch.equal(weights(rest), weights(whole))


def test_the_report_is_a_well_formed_page(tmp_path):
    neurasp.fit(scored_adder(), loader(), epochs=2, folder=str(tmp_path), validate=lambda program: 0.5, verbose=False)
    page = (tmp_path / "report.html").read_text()
    body = page[page.index("<html"):]
    ElementTree.fromstring(body)
    assert "digit" in page
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "checkpoint.pt", "best.pt", "epochs.csv"}


def test_the_history_is_the_commands(valid):
    history = neurasp.fit(scored_adder(), loader(), epochs=2, validate=lambda program: {"score": 0.5}, verbose=False)
    valid(json.loads(history.protocol_json()), "history")


def test_ctrl_c_keeps_what_was_done():
    program = scored_adder()
    before = weights(program)

    def batches():
        for number, item in enumerate(loader()):
            if number == 2:
                signal.raise_signal(signal.SIGINT)
            yield item

    class Loader:
        def __iter__(self):
            return batches()

    history = neurasp.fit(program, Loader(), epochs=3, verbose=False)
    assert history.finished == "interrupted"
    assert not torch.equal(weights(program), before)


def test_schedules_and_clipping():
    program = scored_adder()
    optimizer = torch.optim.SGD(program.parameters(), lr=1.0)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
    neurasp.fit(program, loader(), epochs=2, optimizer=optimizer, scheduler=schedule, clip=0.1, verbose=False)
    assert optimizer.param_groups[0]["lr"] == pytest.approx(0.25)


def test_wrong_batches_and_settings(tmp_path):
    program = scored_adder()
    with pytest.raises(neurasp.UsageError, match="a batch is"):
        neurasp.fit(program, [torch.zeros(3)], verbose=False)
    with pytest.raises(neurasp.UsageError, match="no batch"):
        neurasp.fit(program, [], verbose=False)
    with pytest.raises(neurasp.UsageError, match="needs folder"):
        neurasp.fit(program, loader(), resume=True, verbose=False)
    with pytest.raises(neurasp.UsageError, match="no checkpoint"):
        neurasp.fit(program, loader(), resume=True, folder=str(tmp_path), verbose=False)
    with pytest.raises(neurasp.UsageError, match="nothing to learn from"):
        neurasp.fit(program, [(batch(2)[0], SUM, [9, 9])], verbose=False)


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_data_loader_workers(context):
    program = scored_adder()
    program.prepare(SUM, range(5))  # the core was used before the workers start
    history = neurasp.fit(program, loader(num_workers=2, multiprocessing_context=context), epochs=1, verbose=False)
    assert history[0].examples == 64
