"""What examples can teach. Numbers of maps are counted here by trying all of them."""

import itertools

import pytest

import neurasp

XOR = """img(a). img(b).
nn(bit(1,P), [0,1]) :- img(P).
xor((X+Y) \\ 2) :- bit(0,a,X), bit(0,b,Y)."""

SUM = """nn(d(1,a),[0,1,2]). nn(d(1,b),[0,1,2]).
sum(X+Y) :- d(0,a,X), d(0,b,Y)."""


def maps(outcomes, holds, examples):
    """The maps of outcomes under which every example still holds."""
    return [images for images in itertools.product(range(outcomes), repeat=outcomes)
            if all(holds([images[x] for x in truth], [x for x in truth]) for truth in examples)]


def test_exclusive_or_has_one_shortcut():
    truth = [(0, 1), (1, 1), (0, 0), (1, 0)]
    check = neurasp.Program(XOR).check_learning(observe=":- not xor({}).", values=[(x + y) % 2 for x, y in truth],
                                                labels={"a": [x for x, _ in truth], "b": [y for _, y in truth]})
    expected = maps(2, lambda read, true: sum(read) % 2 == sum(true) % 2, truth)
    assert check.shortcuts.exact and check.shortcuts.at_least == len(expected) == 2
    assert check.shortcuts.smallest == {"bit": {"0": "1", "1": "0"}}
    assert check.labels_known and check.impossible == check.teach_nothing == check.contradictory == []
    assert "0 and 1 can be swapped" in repr(check)
    page = check._repr_html_()
    assert "<th>read as</th><td>1</td><td>0</td>" in page


def test_sums_of_few_examples():
    program = neurasp.Program(SUM)
    truth = [(0, 1), (1, 1)]
    check = program.check_learning(observe=[f":- not sum({x + y})." for x, y in truth],
                                   labels={"d": {"a": [x for x, _ in truth], "b": [y for _, y in truth]}})
    seen = {x for pair in truth for x in pair}
    expected = {tuple(images[x] for x in sorted(seen))
                for images in maps(3, lambda read, true: sum(read) == sum(true), truth)}
    assert check.shortcuts.at_least == len(expected) == 1
    assert "none: only the identity" in repr(check)


def test_impossible_idle_and_contradictory_examples_are_named():
    check = neurasp.Program(SUM).check_learning(observe=[":- not sum(9).", ":- sum(9).", ":- not sum(1).", ":- not sum(4)."],
                                                labels={"a": [0, 0, 1, 1], "b": [0, 0, 0, 1]})
    assert check.impossible == [0]
    assert check.teach_nothing == [1]
    assert check.contradictory == [3]
    assert check.examples == 4


def test_networks_that_never_matter():
    check = neurasp.Program("nn(d(2,a),[0,1]). nn(e(1,b),[0,1]). one :- d(0,a,1).").check_learning(observe=":- not one.")
    uses = {use["network"]: use for use in check.networks}
    assert uses["d"]["matters"] and uses["d"]["idle_events"] == [1]
    assert uses["d"]["impossible_outcomes"] == []  # the other event may be 0
    assert not uses["e"]["matters"]
    assert dict(check._rows()[1])["network e"] in ("never matters", "is not called")


def test_outcomes_that_are_never_possible():
    check = neurasp.Program("nn(d(1,a),[0,1]). one :- d(0,a,1).").check_learning(observe=":- not one.")
    assert check.networks[0]["impossible_outcomes"] == ["0"]
    assert dict(check._rows()[1])["network d"] == "matters; never possible: 0"


def test_a_limit_gives_bounds():
    many = "nn(d(1,x),[" + ",".join(map(str, range(10))) + "]). p :- d(0,x,_)."
    check = neurasp.Program(many).check_learning(observe=":- not p.", steps=1)
    assert check.shortcuts is None or check.shortcuts.at_least >= 1


def test_learning_programs_have_it_too():
    torch = pytest.importorskip("torch")
    program = neurasp.Program(XOR, networks={"bit": torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Softmax(dim=1))})
    check = program.check_learning(observe=":- not xor({}).", values=torch.tensor([0, 1]),
                                   labels={"a": torch.tensor([0, 1]), "b": torch.tensor([0, 0])})
    assert check.shortcuts.at_least == 2


@pytest.mark.parametrize("arguments, message", [
    (dict(observe=[], ), "observe is a text, with values"),
    (dict(observe=[":- not xor(1)."], values=[1]), "values fill the holes of one observation"),
    (dict(observe=":- not xor(1).", labels=[1]), "labels is a dictionary"),
    (dict(observe=":- not xor(1).", labels={"dgit": {"a": [1]}}), "which the program does not call; it calls bit"),
    (dict(observe=":- not xor(1).", labels={"a": [1, 2]}), "one for each of 1 examples, not 2"),
    (dict(observe=":- not xor(1).", labels={"a": [2]}), "numbers from 0 to 1"),
    (dict(observe=":- not xor(1).", tiem_limit=1), "did you mean 'time_limit'?"),
])
def test_mistakes_are_named(arguments, message):
    with pytest.raises(neurasp.UsageError, match=message.replace("?", r"\?")):
        neurasp.Program(XOR).check_learning(**arguments)
