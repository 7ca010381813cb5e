"""Losses, gradients and differentiable queries, against arithmetic by hand."""

import copy
import math
import pickle

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402
from networks import A, B, PAIR, Scores, Table, adder, batch, scored_adder  # noqa: E402

SUM = ":- not sum({})."


def sums(a, b):
    """P(sum = s) for the outputs a and b, by brute force."""
    result = [0.0] * (len(a) + len(b) - 1)
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            result[i + j] += p * q
    return result


def test_log_probabilities_by_hand():
    program = adder()
    size = 5
    inputs = {"a": torch.zeros(size), "b": torch.ones(size)}
    logs = program.log_prob(inputs, observe=SUM, values=range(5))
    assert logs.tolist() == pytest.approx([math.log(p) for p in sums(A, B)])
    assert program.loss(inputs, observe=SUM, values=range(5)).item() == pytest.approx(-logs.mean().item())


def test_gradients_by_hand():
    program = adder()
    program.loss(PAIR, observe=SUM, values=[1]).backward()
    # P = a0 b1 + a1 b0; -log P by a0 is -b1 / P
    assert program.networks["digit"].rows.grad.tolist() == [
        pytest.approx([-0.3 / 0.24, -0.3 / 0.24, 0.0]), pytest.approx([-0.7 / 0.24, -0.1 / 0.24, 0.0])]


def test_proposition1_lets_other_outcomes_absorb_the_change():
    program = adder(convention="proposition1")
    program.loss(PAIR, observe=SUM, values=[1]).backward()
    a0, a1, a2 = program.networks["digit"].rows.grad[0].tolist()
    d0, d1, d2 = 0.3 / 0.24, 0.3 / 0.24, 0.0
    # the paper: the derivative by an outcome, less those by the others
    assert [-a0, -a1, -a2] == pytest.approx([d0 - d1 - d2, d1 - d0 - d2, d2 - d0 - d1])


def test_every_way_to_observe():
    program = adder()
    inputs = {"a": torch.zeros(2), "b": torch.ones(2)}
    expected = [math.log(sums(A, B)[1]), math.log(sums(A, B)[3])]
    for arguments in ({"observe": SUM, "values": [1, 3]}, {"observe": SUM, "values": torch.tensor([1, 3])},
                      {"observe": SUM, "values": [torch.tensor(1), torch.tensor(3)]},
                      {"observe": SUM, "values": ["1", "3"]}, {"observe": SUM, "values": [(1,), [3]]},
                      {"observe": [":- not sum(1).", ":- not sum(3)."]}):
        assert program.log_prob(inputs, **arguments).tolist() == pytest.approx(expected)
    assert len(program._ids) <= 8  # what was met before is not prepared again


def test_one_example_takes_a_single_value():
    program = adder()
    for value in (1, "1", torch.tensor(1), torch.tensor([1])):
        assert program.probability(PAIR, observe=SUM, values=value) == pytest.approx(0.24)
        assert program.log_prob(PAIR, observe=SUM, values=value).exp().tolist() == pytest.approx([0.24])


def test_impossible_examples_do_not_count():
    program = adder()
    inputs = {"a": torch.zeros(3), "b": torch.ones(3)}
    loss = program.loss(inputs, observe=SUM, values=[1, 9, 2])
    assert loss.impossible == [1]
    assert loss.item() == pytest.approx(-(math.log(sums(A, B)[1]) + math.log(sums(A, B)[2])) / 2)
    loss.backward()
    assert torch.isfinite(program.networks["digit"].rows.grad).all()
    logs = program.log_prob(inputs, observe=SUM, values=[1, 9, 2])
    assert logs[1].item() == -math.inf


def test_labels_mix_in_cross_entropy():
    program = adder()
    semantic = -math.log(sums(A, B)[1])
    labelled = -(math.log(A[1]) + math.log(B[0])) / 2
    loss = program.loss(PAIR, observe=SUM, values=[1], labels={"a": [1], "b": torch.tensor([0])}, alpha=0.25)
    assert loss.item() == pytest.approx(0.25 * labelled + 0.75 * semantic)
    for labels, said in (({"c": [1]}, "no input"), ({"a": [3]}, "from 0 to 2"), ({"a": [0, 1]}, "1 x 1"),
                         ({"digits": {"a": [1]}}, "does not call"), ({}, "empty")):
        with pytest.raises(neurasp.UsageError, match=said):
            program.loss(PAIR, observe=SUM, values=[1], labels=labels, alpha=0.5)
    with pytest.raises(neurasp.UsageError, match="give labels="):
        program.loss(PAIR, observe=SUM, values=[1], alpha=0.5)


def test_gradcheck_in_double_precision():
    program = scored_adder().double()
    inputs, values = batch(4, dtype=torch.float64)
    digit = program.networks["digit"]

    def loss(weight):
        with torch.no_grad():
            digit.network.weight.copy_(weight)
        object.__setattr__(digit, "forward", lambda x: x @ weight)
        return program.log_prob(inputs, observe=SUM, values=values)

    assert torch.autograd.gradcheck(loss, digit.network.weight.detach().clone().requires_grad_())


def test_a_query_is_differentiable():
    program = adder()
    answer = program.query("sum(1)", PAIR, observe=":- digit(0,a,2).")
    assert answer.instances == ["sum(1)"]
    # P(sum = 1 | a < 2) = (a0 b1 + a1 b0) / (a0 + a1)
    assert answer.tolist() == [[pytest.approx(0.24 / 0.8)]]
    answer.sum().backward()
    assert program.networks["digit"].rows.grad[0].tolist() == pytest.approx(
        [0.3 / 0.8 - 0.24 / 0.64, 0.3 / 0.8 - 0.24 / 0.64, 0.0])
    assert program.networks["digit"].rows.grad[1].tolist() == pytest.approx([0.7 / 0.8, 0.1 / 0.8, 0.0])


def test_a_query_about_an_impossible_observation_is_nan():
    answer = adder().query("sum(1)", PAIR, observe=":- #true.")
    assert math.isnan(answer.item())


def test_questions_about_inputs():
    program = adder()
    both = {"a": torch.tensor([0, 1]), "b": torch.tensor([1, 1])}
    first, second = program.probability(both, observe=SUM, values=[1, 1])
    assert first == pytest.approx(0.24) and second == pytest.approx(2 * 0.3 * 0.3)
    best = program.map(PAIR, observe=":- not sum(1).")
    assert best[0].probability == pytest.approx(0.21) and "digit(0,a,1)" in best[0]
    assert program.marginals(PAIR, observe=":- not sum(1).")["digit(0,a,0)"] == pytest.approx(0.03 / 0.24)
    assert program.gradient(PAIR, observe=":- not sum(1).")["digit(0,a,0)"] == pytest.approx(0.3 / 0.24)
    assert all("sum(1)" in model for model in program.sample(5, PAIR, observe=":- not sum(1)."))
    assert len(list(program.models(PAIR))) == 9
    assert program.explain("sum(0)", PAIR).probability == pytest.approx(0.03)
    assert program.probability(outputs={"digit": {"a": A, "b": B}}, observe=":- not sum(1).") == pytest.approx(0.24)


def test_half_precision_and_gradients_go_back():
    program = scored_adder().to(torch.bfloat16)
    inputs, values = batch(8, dtype=torch.bfloat16)
    loss = program.loss(inputs, observe=SUM, values=values)
    loss.backward()
    gradient = program.networks["digit"].network.weight.grad
    assert gradient.dtype == torch.bfloat16
    exact = scored_adder()
    with torch.no_grad():
        exact.networks["digit"].network.weight.copy_(program.networks["digit"].network.weight)
    inputs = {name: tensor.float() for name, tensor in inputs.items()}
    exact_loss = exact.loss(inputs, observe=SUM, values=values)
    exact_loss.backward()
    assert loss.item() == pytest.approx(exact_loss.item(), rel=0.02)
    assert torch.allclose(gradient.float(), exact.networks["digit"].network.weight.grad, rtol=0.1, atol=0.02)


def test_probabilities_in_half_precision_are_distributions():
    rows = [[1 / 3, 1 / 3, 1 / 3], [0.2, 0.3, 0.5]]
    program = neurasp.Program(adder().text, digit=Table(rows, dtype=torch.bfloat16))
    assert program.probability(PAIR, observe=":- not sum(0).") == pytest.approx(0.2 / 3, rel=0.02)


def test_copies_and_pickles_train_on():
    program = scored_adder()
    inputs, values = batch(8)
    loss = program.loss(inputs, observe=SUM, values=values)
    for again in (copy.deepcopy(program), pickle.loads(pickle.dumps(program))):
        same = again.loss(inputs, observe=SUM, values=values)
        assert same.item() == loss.item()
        same.backward()
        assert program.networks["digit"].network.weight.grad is None


def test_state_dict_round_trip():
    first, second = scored_adder(seed=1), scored_adder(seed=2)
    inputs, values = batch(8)
    second.load_state_dict(first.state_dict())
    assert first.loss(inputs, observe=SUM, values=values).item() == second.loss(
        inputs, observe=SUM, values=values).item()
    assert list(first.state_dict()) == ["networks.digit.network.weight"]


def test_logits_declared_in_both_ways():
    inputs, values = batch(8)
    by_wrapper = scored_adder(seed=3)
    by_name = neurasp.Program(by_wrapper.text, digit=Scores(seed=3), logits="digit")
    assert by_wrapper.loss(inputs, observe=SUM, values=values).item() == by_name.loss(
        inputs, observe=SUM, values=values).item()


def test_methods_approach_the_exact_gradient():
    inputs = {"a": torch.zeros(1), "b": torch.ones(1)}
    every_model = adder(method="top_k", k=9)  # there are nine models: nothing is left out
    assert every_model.loss(inputs, observe=SUM, values=[1]).item() == pytest.approx(-math.log(0.24))
    best = adder(method="top_k", k=1)
    best.loss(inputs, observe=SUM, values=[1]).backward()
    assert best.networks["digit"].rows.grad[0].tolist() == pytest.approx([0.0, -1 / 0.7, 0.0])  # of a1 b0 alone
    drawn = adder(method="sampling", samples=2000, seed=5)
    drawn.loss(inputs, observe=SUM, values=[1]).backward()
    assert drawn.networks["digit"].rows.grad[0].tolist() == pytest.approx([-1.25, -1.25, 0.0], abs=0.3)
    with pytest.raises(ValueError, match="method is"):
        adder(method="magic")


def test_optimal_models_only():
    text = adder().text + "\n:~ digit(0,a,1). [1]"
    program = neurasp.Program(text, digit=Table([A, B]), optimal=True)
    # of sum 1 only a = 0 has least cost
    assert program.loss(PAIR, observe=SUM, values=[1]).item() == pytest.approx(-math.log(0.03))


def test_two_networks_and_several_terms():
    text = """
        pair(x, y).
        nn(link(1,X,Y), [no, yes]) :- pair(X, Y).
        nn(kind(1,X), [red, green, blue]) :- pair(X, _).
        fine :- link(0,x,y,yes), kind(0,x,green)."""
    program = neurasp.Program(text, link=Table([[0.4, 0.6]]), kind=Table([[0.2, 0.5, 0.3]]))
    inputs = {("x", "y"): torch.tensor([0]), "x": torch.tensor([0])}
    assert program.probability(inputs, observe=":- not fine.") == pytest.approx(0.6 * 0.5)
    assert program.loss(inputs, observe=":- not fine.").item() == pytest.approx(-math.log(0.3))
    own = {"link": {("x", "y"): torch.tensor([0])}, "kind": {"x": torch.tensor([0])}}
    assert program.loss(own, observe=":- not fine.").item() == pytest.approx(-math.log(0.3))


def test_a_network_with_one_column():
    text = "nn(lamp(1,x), [on, off]). lit :- lamp(0,x,on)."
    given = {"x": torch.tensor([0])}
    program = neurasp.Program(text, lamp=Table([[0.8]]))
    assert program.probability(given, observe=":- not lit.") == pytest.approx(0.8)
    raw = neurasp.Program(text, lamp=neurasp.logits(Table([[math.log(4.0)]])))
    assert raw.probability(given, observe=":- not lit.") == pytest.approx(0.8)
    raw.loss(given, observe=":- not lit.").backward()
    assert raw.networks["lamp"].network.rows.grad.item() == pytest.approx(-0.2)  # sigmoid: p - 1


def test_several_events():
    program = neurasp.Program("nn(pair(2,x), [0,1]). s(X+Y) :- pair(0,x,X), pair(1,x,Y).",
                              pair=Table([[[0.1, 0.9], [0.4, 0.6]]]))
    assert program.probability({"x": torch.tensor([0])}, observe=":- not s(1).") == pytest.approx(0.06 + 0.36)
