"""The original's class MVPP. Values are the paper's; cases such as A8 are those of docs/original.md."""

import math

import pytest

np = pytest.importorskip("numpy")

import neurasp  # noqa: E402
from mvpp import MVPP  # noqa: E402

CHOICES = "@0.2 a; @0.3 b; @0.5 c.\n{e} :- a.\n"


def sorted_models(models):
    return sorted(sorted(model) for model in models)


# --- reading ---

def test_attributes():
    coin = MVPP("0.4 a; 0.6 b.\n@0.5 c; @0.5 d. z :- a. % coin.\n")
    assert (coin.pc, coin.parameters) == ([["a", "b"], ["c", "d"]], [[0.4, 0.6], [0.5, 0.5]])
    assert (coin.learnable, coin.remain_probs) == ([[False, False], [True, True]], [0.0, 1])
    assert coin.asp == "z :- a.\n" and coin.pi_prime == "1{a; b}1.\n1{c; d}1.\nz :- a.\n"
    assert (coin.k, coin.eps) == (1, 0.000001)


def test_a_program_may_be_a_file(tmp_path):
    path = tmp_path / "coin.mvpp"
    path.write_text("@0.4 a; @0.6 b.\n")
    assert MVPP(str(path)).inference_obs_exact(":- not a.") == pytest.approx(0.4)


@pytest.mark.parametrize("text", ["  0.4 a; 0.6 b.", "0.4 a; 0.6 b. 0.3 c; 0.7 d.", "0.4 a; 0.6 b. % coin.\nz.",
                                  ".4 a; .6 b.", "4e-1 a; 6e-1 b."])  # E11 to E14
def test_rules_are_read_as_they_are_written(text):
    assert MVPP(text).inference_obs_exact(":- not a.") == pytest.approx(0.4)


def test_atoms_are_terms():  # E15
    assert MVPP("#const k=7.\n0.4 in(1,k); 0.6 in(1+1,k).").inference_obs_exact(":- not in(1,7).") == pytest.approx(0.4)


def test_what_is_not_a_probabilistic_rule():  # E10, E16
    assert MVPP("%*\n0.4 a; 0.6 b.\n*%\nz. 1 {p; q} 1.").pc == []


def test_mistakes_are_reported():  # E17, E18
    with pytest.raises(neurasp.InputError):
        MVPP("0.4 a; 0.9 b.").inference_obs_exact("")
    with pytest.raises(neurasp.InputError):
        MVPP("0.5 a; 0.5 b. 0.5 a; 0.5 c.").inference_obs_exact("")


def test_learnable_probabilities_are_normalized():
    mixed = MVPP("0.2 a; @0.9 b; @0.3 c.")
    assert mixed.parameters == [pytest.approx([0.2, 0.6, 0.2])]
    assert mixed.inference_obs_exact(":- not b.") == pytest.approx(0.6)
    assert MVPP("@0.0 a; @0.0 b.").parameters == [pytest.approx([0.5, 0.5])]
    mixed.parameters[0][1:] = [2.0, -1.0]
    assert mixed.normalize_probs() and mixed.parameters == [pytest.approx([0.2, 0.8, 0.0], abs=1e-5)]


# --- models ---

def test_stable_models():
    thing = MVPP(CHOICES)
    assert sorted_models(thing.find_all_SM_under_obs("")) == [["a"], ["a", "e"], ["b"], ["c"]]
    assert thing.find_all_SM_under_obs(":- not b.") == [["b"]]
    assert len(thing.find_k_SM_under_obs("")) == 3 and len(thing.find_k_SM_under_obs("", 2)) == 2
    assert len(thing.find_k_SM_under_obs("", k=0)) == 4
    assert len(thing.find_one_SM_under_obs("")) == 1 and thing.find_one_SM_under_obs(":- not z.") == []
    assert thing.remove_duplicate_SM([["b"], ["a"], ["b"]]) == [["a"], ["b"]]


def test_most_probable_models():  # B2, B3
    tie = MVPP("@0.4 a; @0.4 b; @0.2 c.")
    assert tie.find_all_most_probable_SM_under_obs_noWC("") == [["a"], ["b"]]
    assert tie.find_one_most_probable_SM_under_obs_noWC(":- a. :- b.") == [["c"]]
    assert tie.find_one_most_probable_SM_under_obs_noWC(":- a. :- b. :- c.") == []
    floor = MVPP("".join(f"@{p} {n}a; @{q} {n}b; @{r} {n}c.\n" for n, p, q, r in
                         (("u", 1e-6, 0.999998, 1e-6), ("v", 0.05, 0.9, 0.05), ("w", 0.05, 0.9, 0.05))) +
                 "two :- va, wa. :- not ua, not two.")
    assert sorted_models(floor.find_one_most_probable_SM_under_obs_noWC()) == [["two", "ub", "va", "wa"]]


def test_models_of_least_cost():  # F1
    assert MVPP("@0.5 a; @0.5 b. :~ b. [1]").find_all_opt_SM_under_obs_WC("") == [["a"]]
    assert MVPP("@0.5 a; @0.5 b.").find_all_opt_SM_under_obs_WC("") == [["a"], ["b"]]


# --- probabilities and gradients ---

def test_probabilities_divide_by_the_number_of_models():  # A1, A2, A6
    thing = MVPP(CHOICES)
    assert thing.inference_obs_exact(":- c.") == pytest.approx(0.5)
    assert thing.inference_obs_exact("") == pytest.approx(1.0)
    assert thing.prob_of_interpretation(["a", "e"]) == pytest.approx(0.1)
    assert thing.prob_of_interpretation([["b"]]) == pytest.approx(0.3)
    assert MVPP("{a}.").inference_obs_exact("") == 1.0
    assert MVPP("{a}.").prob_of_interpretation([]) == pytest.approx(0.5)


def test_parameters_may_be_changed():
    thing = MVPP("@0.5 a; @0.5 b.")
    assert thing.inference_obs_exact(":- not a.") == pytest.approx(0.5)
    thing.parameters = [[0.8, 0.2]]
    assert thing.inference_obs_exact(":- not a.") == pytest.approx(0.8)
    assert thing.prob_of_interpretation(["b"]) == pytest.approx(0.2)


def test_gradients():  # A3, A8
    assert MVPP("@0.1 a; @0.2 b; @0.3 c; @0.4 d.").gradient(0, 0, "") == pytest.approx(-2.0)  # 1 - 3
    thing = MVPP(CHOICES)
    assert thing.gradients_one_obs(":- c.").tolist() == [pytest.approx([0.0, 0.0, -4.0], abs=1e-9)]
    models = thing.find_all_SM_under_obs(":- c.")
    assert thing.mvppLearn(models).tolist() == [pytest.approx([0.0, 0.0, -4.0], abs=1e-9)]
    assert thing.mvppLearnRule(0, [["a"], ["b"]], [0.2, 0.3]).tolist() == pytest.approx([0.0, 0.0, -4.0], abs=1e-9)
    assert thing.gradients_multi_obs([":- c.", ":- not b."]) == [pytest.approx([-10 / 3, 10 / 3, -4 - 10 / 3])]
    assert thing.mvppLearn([]).tolist() == [[0.0, 0.0, 0.0]]


def test_gradients_of_fixed_and_of_unequal_rules():  # C5
    thing = MVPP("0.4 a; 0.6 b. @0.1 p; @0.2 q; @0.7 r.")
    found = thing.gradients_one_obs(":- not p.")
    assert found[0].tolist() == [0.0, 0.0] and found[1].tolist() == pytest.approx([10.0, -10.0, -10.0])


def test_many_small_probabilities_do_not_underflow():  # A5
    text = "".join(f"@1e-6 a{i}; @1e-6 b{i}; @0.999998 c{i}.\n" for i in range(60)) + "same :- a0, a1. same :- b0, b1.\n"
    thing = MVPP(text)
    observation = "".join(f":- not a{i}.\n" for i in range(2, 60)) + ":- not same. :- c0."
    assert thing.mvppLearn(thing.find_all_SM_under_obs(observation))[0].tolist() == pytest.approx([0.0, 0.0, -1e6])
    assert thing.gradients_one_obs(observation)[2].tolist() == pytest.approx([1e6, -1e6, -1e6])


def test_an_impossible_observation_is_reported():  # A7
    with pytest.warns(neurasp.ProgramWarning, match="no stable model"):
        assert MVPP("0.0 a; 1.0 b.").gradients_one_obs(":- not a.").tolist() == [[0.0, 0.0]]
    with pytest.warns(neurasp.ProgramWarning, match="no stable model"):
        assert MVPP("@0.5 a; @0.5 b.").gradient(0, 0, ":- a. :- b.") == 0.0


# --- learning ---

def test_exact_learning_finds_the_frequencies(capsys):
    thing = MVPP("@0.5 a; @0.5 b.")
    thing.learn_exact([":- not a.", ":- not a.", ":- not a.", ":- not b."], lr=0.02, thres=1e-5)
    assert thing.parameters == [pytest.approx([0.75, 0.25], abs=1e-3)]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Start learning by exact computation with 4 observations..."
    assert lines[2] == "Initial parameters: [[0.5, 0.5]]" and lines[4] == "#### Iteration 1 ####"
    assert lines[6].startswith("After ") and lines[6].endswith(" seconds of training (in total)")
    assert lines[7].startswith("Current parameters: [[") and lines[8].startswith("Max change on probabilities: ")
    assert lines[-1].startswith("Final parameters: [[0.7")


def test_evidence_files(tmp_path, capsys):  # F12
    path = tmp_path / "evidence.txt"
    path.write_text("edge(1,2). :- not a.\n#evidence\nedge(2,3). :- not a.\n")
    thing = MVPP("@0.5 a; @0.5 b. :- edge(2,3), not edge(2,3).")
    thing.learn_exact(str(path), max_iter=2)
    assert "with 2 observations" in capsys.readouterr().out and thing.parameters[0][0] > 0.5


# --- sampling ---

def test_samples_of_total_choices():  # F8
    np.random.seed(1)
    thing = MVPP("#show z/0.\nz.\n@0.25 a; @0.75 b.\n{e} :- a.")
    found = thing.sample(400)
    assert sorted_models([model for model in found if "e" in model])[0] == ["a", "e", "z"]
    share = sum("b" in model for model in found) / 400
    assert abs(share - 0.75) < 4 * math.sqrt(0.75 * 0.25 / 400)
    assert {tuple(sorted(model)) for model in thing.k_sample()} in ({("b", "z")}, {("a", "z"), ("a", "e", "z")})


def test_samples_given_an_observation():  # F7, F9
    np.random.seed(2)
    thing = MVPP("@0.6 a; @0.3 b; @0.1 c.")
    assert len(thing.sample_obs(":- c.")) == 50 and thing.sample_obs2(":- a. :- b.", num=3) == [["c"]] * 3
    with pytest.warns(neurasp.ProgramWarning, match="no stable model"):
        assert thing.sample_obs(":- a. :- b. :- c.") == []


def test_gradients_from_samples_converge():  # F6
    np.random.seed(3)
    thing = MVPP("@0.6 a; @0.3 b; @0.1 c.")
    exact = pytest.approx([0.0, 0.0, -20 / 9], abs=0.15)
    assert thing.gradients_one_obs_by_sampling(":- c.", num=4000)[0].tolist() == exact
    assert (thing.gradients_multi_obs_by_sampling([":- c."] * 2, num=4000) / 2)[0].tolist() == exact
    assert thing.gradient_given_models(0, [["a"], ["b"]]).tolist() == \
        pytest.approx([0.5 / 0.6 - 0.5 / 0.3, 0.5 / 0.3 - 0.5 / 0.6, -0.5 / 0.6 - 0.5 / 0.3])
    assert thing.gradients_multi_obs_by_one_sample([":- a. :- b."]).tolist() == [pytest.approx([-10, -10, 10])]


def test_learning_by_sampling(capsys):
    np.random.seed(4)
    thing = MVPP("@0.5 a; @0.5 b.")
    thing.learn_by_sampling([":- not a."] * 3 + [":- not b."], num_of_samples=20, lr=0.02, max_iter=60)
    assert thing.parameters == [pytest.approx([0.75, 0.25], abs=0.02)]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Start learning by sampling with 4 observations..."
    assert "Parameter Pre-training for 1 iterations..." in lines and "#### Iteration 2 ####" in lines
    assert "Generating 20 stable model(s) for each observation..." in lines
