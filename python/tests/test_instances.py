"""Queries with variables: one answer for each instance."""

import pytest

import neurasp


def test_instances_of_a_query(examples):
    dice = neurasp.Program.from_file(examples / "dice.lp")
    answer = dice.query("die(a,N)", observe=":- not total(3).")
    assert {instance: pytest.approx(number) for instance, number in answer.items() if number} == {
        "die(a,1)": 0.5, "die(a,2)": 0.5}
    assert answer.instances == list(answer)
    assert dice.query("die(a,N)", each=False) == pytest.approx(1.0)


def test_columns_are_instances():
    torch = pytest.importorskip("torch")
    from networks import A, B, adder

    program = adder()
    answer = program.query("sum(N)", {"a": torch.tensor([0, 1]), "b": torch.tensor([1, 1])})
    assert answer.shape == (2, 5) and sorted(answer.instances) == [f"sum({n})" for n in range(5)]
    for row, (a, b) in zip(answer.tolist(), ((A, B), (B, B))):
        by_name = dict(zip(answer.instances, row))
        for n in range(5):
            assert by_name[f"sum({n})"] == pytest.approx(sum(a[i] * b[n - i] for i in range(3) if 0 <= n - i < 3))
    answer[0, answer.instances.index("sum(0)")].backward()
    # a0 b0 by a0 is b0, by b0 it is a0
    assert program.networks["digit"].rows.grad.tolist() == [pytest.approx([0.3, 0, 0]), pytest.approx([0.1, 0, 0])]


def test_instances_are_json(valid):
    coins = neurasp.Program("coin(1..2). 0.5 : heads(X) :- coin(X).")
    answer = coins.query("heads(X)", observe=":- heads(2).")
    assert answer["heads(1)"] == pytest.approx(0.5)
    assert answer["heads(1)"].log == pytest.approx(-0.6931471805599453)
    valid(answer, "prob")
    pytest.importorskip("pandas")
    assert list(answer.to_pandas()["instance"]) == list(answer)
