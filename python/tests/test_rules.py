"""Probabilities of learnable rules are parameters, and distributions whatever an optimiser does."""

import math

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402

TACK = """
    throw(1..3).
    @0.5 : lands(X)=up | @0.5 : lands(X)=down :- throw(X).
    ups(N) :- N = #count { X : lands(X,up) }."""


@pytest.fixture
def tack():
    return neurasp.Program(TACK, networks={})


def test_rules_alone_are_trained(tack):
    assert isinstance(tack, torch.nn.Module)
    assert [rule.tolist() for rule in tack.rules] == [[0.5, 0.5]]
    optimizer = torch.optim.SGD(tack.parameters(), lr=0.02)
    for _ in range(200):
        loss = tack.loss({}, observe=":- not ups({}).", values=[2, 2, 1, 3])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    # of twelve throws eight landed up, which is the estimate of greatest likelihood
    assert tack.state_dict()["rules.0"].tolist() == pytest.approx([8 / 12, 4 / 12], abs=1e-4)


def test_the_loss_by_hand(tack):
    loss = tack.loss({}, observe=":- not ups(2).")
    assert loss.item() == pytest.approx(-math.log(3 / 8))
    loss.backward()
    # P = 3 u^2 d: by u 6 u d, by d 3 u^2, divided by P = 3/8
    assert tack.rules[0].grad.tolist() == pytest.approx([-4.0, -2.0])


@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop])
def test_any_optimiser_leaves_distributions(tack, optimizer):
    steps = optimizer(tack.parameters(), lr=5.0)  # far too much
    for ups in (3, 3, 0, 3, 0, 0):
        steps.zero_grad()
        loss = tack.loss({}, observe=":- not ups({}).", values=[ups])
        assert math.isfinite(loss.item())
        loss.backward()
        steps.step()
    numbers = tack.state_dict()["rules.0"]
    assert numbers.sum().item() == pytest.approx(1.0) and (numbers > 0).all()
    assert tack.probability() == pytest.approx(1.0)


def test_questions_use_what_was_learned(tack):
    with torch.no_grad():
        tack.rules[0].copy_(torch.tensor([0.9, 0.1]))
    assert tack.probability(observe=":- not ups(3).") == pytest.approx(0.9**3)
    assert tack.query("ups(0)") == pytest.approx(0.1**3)
    other = neurasp.Program(TACK, networks={})
    other.load_state_dict(tack.state_dict())
    assert other.probability(observe=":- not ups(3).") == pytest.approx(0.9**3)
