"""Exact questions. The numbers are those of arithmetic by hand, beside them or in the heads of the examples."""

import math

import pytest

import neurasp

A = [0.1, 0.7, 0.2]
B = [0.3, 0.3, 0.4]
DIGITS = {"digit": {"i1": [A], "i2": [B]}}


@pytest.fixture
def addition(examples):
    return neurasp.Program.from_file(examples / "addition.lp")


def test_the_examples_of_the_issue(rain):
    assert rain.probability(observe=":- not wet.") == pytest.approx(0.3 / 2)
    assert rain.query("rain", observe=":- not wet.") == 1.0


def test_a_sum_of_two_digits(addition, valid):
    answer = addition.probability(observe=":- not sum(1).", outputs=DIGITS)
    assert answer == pytest.approx(0.1 * 0.3 + 0.7 * 0.3)
    assert answer.exact and answer.lower == answer == answer.upper
    assert answer.log == pytest.approx(math.log(0.24))
    assert answer.how.engine in ("circuit", "enumerate")
    marginals = addition.marginals(observe=":- not sum(1).", outputs=DIGITS)
    assert marginals["digit(0,i1,0)"] == pytest.approx(0.03 / 0.24)
    assert marginals["digit(0,i1,2)"] == 0.0
    assert marginals.probability == pytest.approx(0.24)
    valid(marginals, "marginals")


@pytest.mark.parametrize("values", [1, "1", [1], ("1",)])
def test_values_fill_holes(addition, values):
    assert addition.probability(observe=":- not sum({}).", values=values, outputs=DIGITS) == pytest.approx(0.24)


def test_several_observations_hold_together(addition):
    assert addition.probability(observe=[":- not sum(1).", ":- not digit(0,i1,0)."],
                                outputs=DIGITS) == pytest.approx(0.1 * 0.3)


def test_outputs_may_be_lists_arrays_or_tensors(addition):
    numpy = pytest.importorskip("numpy")
    torch = pytest.importorskip("torch")
    for made in (list, numpy.array, lambda n: numpy.array(n, dtype="float32"), torch.tensor):
        outputs = {"digit": {"i1": made(A), "i2": made([B])}}
        assert addition.probability(observe=":- not sum(1).", outputs=outputs) == pytest.approx(0.24, rel=1e-6)


def test_logits_are_softmaxed(examples):
    program = neurasp.Program.from_file(examples / "addition.lp", logits=("digit",))
    raw = {"digit": {"i1": [math.log(p) + 3 for p in A], "i2": [math.log(p) - 2 for p in B]}}
    assert program.probability(observe=":- not sum(1).", outputs=raw) == pytest.approx(0.24)


def test_engines_agree(addition):
    truth = 0.1 * 0.4 + 0.7 * 0.3 + 0.2 * 0.3
    for engine in ("auto", "enumerate", "circuit"):
        assert addition.query("sum(2)", outputs=DIGITS, engine=engine) == pytest.approx(truth)


def test_examples_of_the_repository(examples, outputs_of):
    def ask(name, query, outputs=None, observe=None):
        return neurasp.Program.from_file(examples / name).query(query, outputs=outputs, observe=observe)

    assert ask("birds.lp", "-flies(tweety)") == pytest.approx(0.2 + 0.8 * 0.1)
    assert ask("cards.lp", "good", outputs_of("cards.json")) == pytest.approx(1 - (1 - 0.31) * (1 - 0.58))
    assert ask("coin.lp", "win") == pytest.approx(0.1)
    assert ask("dice.lp", "die(a,1)", observe=":- not total(3).") == pytest.approx(0.5)
    assert ask("gate.lp", "open", outputs_of("gate.json")) == pytest.approx(1 - 0.3 * 0.6)
    p = 0.9
    assert ask("links.lp", "reach(b)") == pytest.approx(2 * p**2 + 2 * p**3 - 5 * p**4 + 2 * p**5)


def test_the_most_probable_models(examples, valid):
    fever = neurasp.Program.from_file(examples / "fever.lp")
    best = fever.map()
    assert len(best) == 1 and best[0].probability == pytest.approx(0.4) and "cold" in best[0]
    assert [round(model.probability, 9) for model in fever.map(k=3)] == [0.4, 0.35, 0.25]
    valid(best, "map")


def test_ties_bring_all_that_are_as_probable():
    coins = neurasp.Program("0.5 : a. 0.5 : b.")
    assert len(coins.map(k=1)) == 1
    assert len(coins.map(k=1, ties=True)) == 4


def test_only_optimal_models_count(examples):
    lamp = neurasp.Program.from_file(examples / "lamp.lp")
    assert lamp.map(observe=":- not dark.")[0].probability == pytest.approx(0.95 * 0.4 * 0.4)
    best = lamp.map(observe=":- not dark.", optimal=True)[0]
    assert best.probability == pytest.approx(0.05 * 0.6 * 0.6)
    assert best.cost == [1]


def test_models_are_pulled_one_by_one():
    many = neurasp.Program("n(1..60). 0.5 : a(X) :- n(X).")  # 2^60 models: collecting them would never end
    stream = many.models()
    assert len({tuple(next(stream)) for _ in range(3)}) == 3


def test_models_are_all_there(rain):
    found = {tuple(sorted(model)): model.probability for model in rain.models()}
    assert found == {("-rain",): pytest.approx(0.7), ("rain", "umbrella"): pytest.approx(0.15),
                     ("rain", "wet"): pytest.approx(0.15)}


def test_samples_repeat_with_their_seed(rain, valid):
    first = rain.sample(50, seed=7)
    assert [model.atoms for model in first] == [model.atoms for model in rain.sample(50, seed=7)]
    assert [model.atoms for model in first] != [model.atoms for model in rain.sample(50, seed=8)]
    assert all("rain" in model for model in rain.sample(20, observe=":- not wet."))
    valid(first, "sample")


def test_gradient_in_both_conventions(examples, valid):
    tack = neurasp.Program.from_file(examples / "thumbtack.lp")
    plain = tack.gradient(observe=":- not ups(2).")
    assert plain.probability == pytest.approx(3 * 0.7 * 0.7 * 0.3)
    up, down = 2 * 0.7 * 0.3 / 0.441, 0.7 * 0.7 / 0.441
    assert plain["throw(1,up)"] == pytest.approx(up)
    assert plain["throw(1,down)"] == pytest.approx(down)
    valid(plain, "gradient")
    absorbed = tack.gradient(observe=":- not ups(2).", convention="proposition1")
    assert absorbed["throw(1,up)"] == pytest.approx(up - down)
    impossible = tack.gradient(observe=":- #true.")
    assert not impossible.defined and len(impossible) == 0


def test_an_impossible_observation(rain):
    assert rain.probability(observe=":- #true.") == 0.0
    assert rain.probability(observe=":- #true.").log == -math.inf
    assert rain.query("rain", observe=":- #true.") is None


def test_logarithms_do_not_underflow():
    program = neurasp.Program("n(1..400). 0.1 : a(X) :- n(X). all :- a(X) : n(X).")
    answer = program.query("all")
    assert answer == 0.0 and answer.exact
    assert answer.log == pytest.approx(400 * math.log(0.1))
    assert program.probability(observe=":- not all.").log == pytest.approx(400 * math.log(0.1))


def test_a_limit_gives_bounds():
    program = neurasp.Program("n(1..12). 0.5 : a(X) :- n(X). one :- a(X).")
    truth = 1 - 0.5**12
    bounded = program.query("one", engine="enumerate", model_limit=10)
    assert not bounded.exact and bounded.lower <= truth <= bounded.upper and bounded.lower < bounded.upper
    assert "limit" in bounded.how.limit and ".." in repr(bounded)
    whole = program.probability(observe=":- not one.", engine="enumerate", model_limit=10)
    assert whole.lower <= truth <= whole.upper


def test_samples_give_an_estimate_with_an_interval(rain):
    estimate = rain.probability(observe=":- not wet.", samples=4000, seed=1)
    assert not estimate.exact and estimate.lower < 0.15 < estimate.upper  # this seed; 5 % of them miss
    assert estimate.lower < estimate < estimate.upper


def test_explanations(rain, valid):
    why = rain.explain("wet")
    assert why.probability == pytest.approx(0.15)
    assert [reason.atoms for reason in why] == [["rain"]]
    assert why[0].certainty == pytest.approx(0.5) and why[0].share == pytest.approx(1.0)
    assert "wet" in why.with_query and "wet" not in why.without_query
    assert repr(why.why).splitlines()[:2] == ["wet  (rule: wet :- rain, not umbrella.)",
                                              "  rain  (outcome: rain has probability 0.3)"]
    assert repr(why.why_not).startswith("not wet  (blocked: wet :- rain, not umbrella.)")
    assert "because rain" in repr(why)
    valid(why, "explain")


def test_check(examples, outputs_of, valid):
    gate = neurasp.Program.from_file(examples / "gate.lp").check(coherence=True, outputs=outputs_of("gate.json"))
    assert gate.summary["random_variables"] == 2
    assert gate.coherent is True and gate.argmax["satisfies_program"] is True
    valid(gate, "check")
    broken = neurasp.Program("0.5 : a. :- a.").check(coherence=True)
    assert broken.coherent is False and broken.witness == ["a"]
    assert neurasp.Program("a.").check().coherent is None


def test_a_check_counts_choices_and_knows_what_is_proven(rain):
    rows = dict(rain.check()._rows()[1])
    assert rows["total choices"] == "2" and rows["tight"] == "yes" and rows["coherent"] == "yes"
    broken = neurasp.Program("n(1..20). 0.1 : a(X)=1 | 0.9 : a(X)=2 :- n(X). :- a(1,1), a(2,1).")
    assert dict(broken.check()._rows()[1])["coherent"] == "not known"
    assert dict(broken.check()._rows()[1])["total choices"] == "1048576"
    assert dict(broken.check(coherence=True)._rows()[1])["coherent"] == "no"
    many = neurasp.Program("n(1..60). 0.5 : a(X) :- n(X).")
    assert dict(many.check()._rows()[1])["total choices"] == "about 1e18"  # 2^60


def test_ground(rain):
    assert "umbrella" in rain.ground()
    assert rain.ground(aspif=True).startswith("asp 1 0 0")
