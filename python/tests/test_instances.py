"""Queries with variables: one answer for each instance."""

import pytest

import neurasp
from conftest import ADDITION


def test_instances_of_a_query(examples):
    dice = neurasp.Program.from_file(examples / "dice.lp")
    answer = dice.query("die(a,N)", observe=":- not total(3).")
    assert {instance: pytest.approx(number) for instance, number in answer.items() if number} == {
        "die(a,1)": 0.5, "die(a,2)": 0.5}
    assert answer.instances == list(answer)
    assert dice.query("die(a,N)", each=False) == pytest.approx(1.0)
