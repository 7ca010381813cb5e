"""Habits of people who train, in fit: accumulation, warm-up, smoothing, weights of classes, matrices, tables."""

import csv
import json
import xml.etree.ElementTree as ElementTree

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402
from networks import PAIR, adder, batch, scored_adder  # noqa: E402

SUM = ":- not sum({})."


def weights(program):
    return program.networks["digit"].network.weight.detach().clone()


def examples(size=48, impossible=()):
    """Inputs, and sums that follow from them, except for some that no digits have."""
    inputs, _ = batch(size, seed=1, dtype=torch.float64)
    sums = [int(inputs["a"][i, :3].argmax() + inputs["b"][i, :3].argmax()) for i in range(size)]
    return inputs, [9 if i in impossible else number for i, number in enumerate(sums)]


def batches(size, **settings):
    inputs, sums = examples(**settings)
    return [({name: tensor[i:i + size] for name, tensor in inputs.items()}, SUM, sums[i:i + size])
            for i in range(0, len(sums), size)]


def trained(loader, **settings):
    program = scored_adder()
    program.networks.double()
    neurasp.fit(program, loader, verbose=False, **{"epochs": 3, "lr": 0.1, **settings})
    return weights(program)


@pytest.mark.parametrize("impossible", [(), (0, 1, 2, 17)])
def test_accumulated_gradients_are_those_of_a_larger_batch(impossible):
    whole = trained(batches(24, impossible=impossible))
    parts = trained(batches(8, impossible=impossible), accumulate=3)
    assert torch.allclose(whole, parts, rtol=0, atol=1e-9)
    assert not torch.allclose(whole, trained(batches(8, impossible=impossible)), atol=1e-3)


def test_the_last_step_of_an_epoch_may_have_fewer_batches():
    inputs, sums = examples()
    uneven = [({name: tensor[i:j] for name, tensor in inputs.items()}, SUM, sums[i:j]) for i, j in [(0, 40), (40, 48)]]
    assert torch.allclose(trained(uneven), trained(batches(8), accumulate=5), rtol=0, atol=1e-9)


def test_the_rate_grows_while_it_warms_up():
    program = scored_adder()
    program.networks.double()
    rates = []

    class Watched(torch.optim.SGD):
        def step(self, closure=None):
            rates.append(self.param_groups[0]["lr"])
            return super().step(closure)

    optimizer = Watched(program.parameters(), lr=0.8)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
    neurasp.fit(program, batches(16), epochs=3, optimizer=optimizer, scheduler=schedule, warmup=4, verbose=False)
    assert rates == pytest.approx([0.2, 0.4, 0.6, 0.4, 0.4, 0.4, 0.2, 0.2, 0.2])


def test_everything_is_resumed_bit_for_bit(tmp_path):
    def run(folder, epochs, **more):
        program = scored_adder()
        program.networks.double()
        optimizer = torch.optim.AdamW(program.parameters(), lr=0.1)
        scores = program.confusion

        def validate(trained):
            inputs, _ = examples()
            return {"digit": scores(inputs, {name: inputs[name][:, :3].argmax(1) for name in "ab"})}

        history = neurasp.fit(program, batches(8), epochs=epochs, optimizer=optimizer, accumulate=4, warmup=5,
                              validate=validate, folder=str(folder), verbose=False, **more)
        return weights(program), history

    whole, expected = run(tmp_path / "whole", 6)
    run(tmp_path / "parts", 2)
    parts, history = run(tmp_path / "parts", 6, resume=True)
    assert torch.equal(whole, parts)
    assert history.confusions == expected.confusions and history.confusions["digit"].accuracy > 0
    found, wanted = ([{name: cell for name, cell in row.items() if name != "seconds"}
                      for row in csv.DictReader(open(tmp_path / name / "epochs.csv"))] for name in ("parts", "whole"))
    assert found == wanted and len(found) == 6 and found[0]["epoch"] == "1"


@pytest.mark.parametrize("smoothing, given", [(0.0, None), (0.2, None), (0.0, [1.0, 4.0, 0.5]), (0.2, [1.0, 4.0, 0.5])])
def test_the_loss_on_labels_is_torchs_cross_entropy(smoothing, given):
    program = scored_adder()
    inputs, sums = batch(16, seed=3)
    truth = torch.arange(16) % 3
    weighted = None if given is None else torch.tensor(given)
    loss = program.loss(inputs, observe=SUM, values=sums, labels={"a": truth}, alpha=1.0, label_smoothing=smoothing,
                        class_weights=given)
    scores = inputs["a"] @ program.networks["digit"].network.weight
    known = torch.nn.functional.cross_entropy(scores, truth, weight=weighted, label_smoothing=smoothing)
    assert float(loss) == pytest.approx(float(known), rel=1e-5)
    parameter = program.networks["digit"].network.weight
    ours, theirs = (torch.autograd.grad(one, parameter)[0] for one in (loss, known))
    assert torch.allclose(ours, theirs, atol=1e-6)


def test_fit_passes_smoothing_and_weights_on():
    inputs, sums = batch(16, seed=3)
    labelled = {"inputs": inputs, "observe": SUM, "values": sums, "labels": {"a": torch.arange(16) % 3}, "alpha": 1.0}
    program = scored_adder()
    first = float(program.loss(**labelled, label_smoothing=0.3, class_weights=[1, 2, 3]))
    history = neurasp.fit(program, [labelled], epochs=1, label_smoothing=0.3, class_weights=[1, 2, 3], verbose=False)
    assert history[0].loss == pytest.approx(first)


def test_a_confusion_matrix_counts_what_was_concluded():
    program = adder()  # rows 0 and 1 conclude 1 and 2
    inputs = {"a": torch.tensor([0, 0, 1, 1]), "b": torch.tensor([0, 1, 0, 1])}
    seen = program.confusion(inputs, {"a": [1, 0, 2, 2]})
    assert seen.outcomes == ["0", "1", "2"]
    assert seen.counts == [[0, 1, 0], [0, 1, 0], [0, 0, 2]]
    both = program.confusion(inputs, {"a": [1, 0, 2, 2], "b": [1, 1, 1, 1]})
    assert both.counts == [[0, 1, 0], [0, 3, 2], [0, 0, 2]]
    assert (seen + seen).counts == [[0, 2, 0], [0, 2, 0], [0, 0, 4]]
    assert both.accuracy == 5 / 8
    assert both.recall == {"0": 0.0, "1": 0.6, "2": 1.0}
    assert both.precision == {"0": None, "1": 0.75, "2": 0.5}
    assert both.balanced_accuracy == pytest.approx((0 + 0.6 + 1) / 3)
    assert both.macro_f1 == pytest.approx((0 + 6 / 9 + 4 / 6) / 3)
    with pytest.raises(neurasp.UsageError, match="numbers from 0 to 2"):
        program.confusion(inputs, {"a": [3, 0, 0, 0]})
    with pytest.raises(neurasp.UsageError, match="different outcomes"):
        seen + neurasp.Confusion(["x"], [[1]])


def test_the_report_shows_the_matrix_of_the_kept_weights(tmp_path, valid):
    program = scored_adder()
    matrices = iter([[[1, 1], [0, 2]], [[2, 0], [0, 2]], [[0, 2], [2, 0]]])
    history = neurasp.fit(program, [(batch(4)[0], SUM, [1, 2, 3, 2])], epochs=3, folder=str(tmp_path), verbose=False,
                          validate=lambda trained: {"digit": neurasp.Confusion(["cat", "dog"], next(matrices))})
    assert [epoch.metrics["digit"] for epoch in history] == [0.75, 1.0, 0.0]
    assert history.confusions["digit"].counts == [[2, 0], [0, 2]]
    valid(json.loads(history.protocol_json()), "history")
    page = (tmp_path / "report.html").read_text()
    ElementTree.fromstring(page[page.index("<html"):])
    assert "Confusion matrices" in page and "cat" in page and "No mistakes." in page


def test_the_history_is_a_table(tmp_path):
    history = neurasp.History([neurasp.Epoch(1, 0.5, 8, 0, 1.5), neurasp.Epoch(2, 0.25, 8, 1, 2.0, {"a, b": 0.75})])
    text = history.to_csv(tmp_path / "x.csv")
    assert text == 'epoch,loss,"a, b",impossible,seconds\n1,0.5,,0,1.5\n2,0.25,0.75,1,2.0\n'
    assert (tmp_path / "x.csv").read_text() == text


def test_mistakes_in_the_settings():
    program = scored_adder()
    loader = [(batch(2)[0], SUM, [1, 2])]
    with pytest.raises(neurasp.UsageError, match="accumulate"):
        neurasp.fit(program, loader, accumulate=0)
    with pytest.raises(neurasp.UsageError, match="warmup"):
        neurasp.fit(program, loader, warmup=-1)
    with pytest.raises(neurasp.UsageError, match="built-in loss"):
        neurasp.fit(program, loader, loss=lambda program, batch: program.loss(*batch), label_smoothing=0.1)
    inputs = {"inputs": PAIR, "observe": ":- not sum(1).", "labels": {"a": [1]}, "alpha": 0.5}
    with pytest.raises(neurasp.UsageError, match="from 0 to below 1"):
        adder().loss(**inputs, label_smoothing=1.0)
    with pytest.raises(neurasp.UsageError, match="3 numbers above 0"):
        adder().loss(**inputs, class_weights=[1.0, 2.0])
    with pytest.raises(neurasp.UsageError, match="give labels="):
        adder().loss(PAIR, observe=":- not sum(1).", class_weights=[1.0, 2.0, 3.0])
