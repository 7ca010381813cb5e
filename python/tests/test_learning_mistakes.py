"""Mistakes with networks and inputs, each a clear error."""

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402
from networks import A, B, PAIR, Scores, Table, adder, batch, scored_adder  # noqa: E402

SUM = ":- not sum({})."


def test_rows_that_are_not_distributions():
    inputs, values = batch(2)
    program = neurasp.Program(adder().text, digit=Scores())
    with pytest.raises(neurasp.InputError) as caught:
        program.loss(inputs, observe=SUM, values=values)
    text = str(caught.value)
    assert "'digit'" in text and "'a'" in text and "example 0, row 0" in text
    assert 'logits=("digit",)' in text


def test_nan_is_named():
    inputs, values = batch(2)
    inputs["b"][1, 0] = float("nan")
    with pytest.raises(neurasp.InputError, match="'b'.*example 1.*NaN"):
        scored_adder().loss(inputs, observe=SUM, values=values)


@pytest.mark.parametrize("inputs, said", [
    ({"a": torch.tensor([0])}, "no input for 'b', which the network 'digit' is called for"),
    ({}, "no input for 'a'"),
    ({"a": torch.tensor([0]), "b": torch.tensor([0, 1])}, "inputs differ in the size of the batch: 'b' has 2"),
    ({"a": 3, "b": 4}, "an input is a tensor"),
    ([1, 2], "inputs is a dictionary"),
])
def test_wrong_inputs(inputs, said):
    with pytest.raises(neurasp.UsageError, match=said):
        adder().loss(inputs, observe=SUM, values=[1])


def test_a_missing_input_of_a_question():
    with pytest.raises(neurasp.UsageError, match="no input for 'b'"):
        adder().map({"a": torch.tensor([0])})


@pytest.mark.parametrize("arguments, said", [
    ({"observe": SUM, "values": [1, 2]}, "the batch has 1 example, but there are 2 values"),
    ({"observe": [SUM], "values": [1]}, "values go with a single template"),
    ({"observe": [3]}, "an observation is a text, not 3"),
    ({"observe": None}, "need observe="),
    ({"observe": SUM, "values": [1.5]}, "integers only"),
])
def test_wrong_observations(arguments, said):
    with pytest.raises(neurasp.UsageError, match=said):
        adder().loss(PAIR, **arguments)


@pytest.mark.parametrize("value", [1, "1", torch.tensor(1)])
def test_several_examples_need_several_values(value):
    two = {"a": torch.tensor([0, 0]), "b": torch.tensor([1, 1])}
    with pytest.raises(neurasp.UsageError, match="one entry for each example, as a list or a tensor, not '?1"):
        adder().loss(two, observe=SUM, values=value)
    with pytest.raises(neurasp.UsageError, match="the batch has 2 examples, but there is 1 observation$"):
        adder().loss(two, observe=[SUM])


def test_networks_that_do_not_fit():
    with pytest.raises(neurasp.UsageError, match="must be a torch.nn.Module, found function"):
        neurasp.Program(adder().text, digit=lambda x: x)
    with pytest.raises(neurasp.UsageError, match="'digit', which was not given"):
        neurasp.Program(adder().text, other=Table([A])).loss(PAIR, observe=SUM, values=[1])
    with pytest.raises(neurasp.UsageError, match="must return 2 x 3 numbers .* shape \\(2, 2\\)"):
        neurasp.Program(adder().text, digit=Table([[0.5, 0.5], [0.5, 0.5]])).loss(PAIR, observe=SUM, values=[1])

    class Words(torch.nn.Module):
        def forward(self, x):
            return "three"

    with pytest.raises(neurasp.UsageError, match="must return a tensor, found str"):
        neurasp.Program(adder().text, digit=Words()).loss(PAIR, observe=SUM, values=[1])


def test_a_misspelt_setting_is_no_network():
    with pytest.raises(neurasp.UsageError, match="'metod' must be a torch.nn.Module, found str"):
        neurasp.Program(adder().text, metod="exact", digit=Table([A, B]))
    with pytest.raises(neurasp.UsageError, match="samples is a whole number"):
        adder(samples="many")


def test_inputs_and_outputs_exclude_each_other():
    with pytest.raises(neurasp.UsageError, match="not both"):
        adder().probability(PAIR, outputs={"digit": {"a": A, "b": B}})
