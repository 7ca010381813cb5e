"""The original's class NeurASP. Values are the paper's; cases such as A3 are those of docs/original.md."""

import math
import pickle
import subprocess
import sys
import warnings

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402
from neurasp import NeurASP  # noqa: E402

THREE = "nn(d(1,x),[a,b,c]).\n"
ADDITION = """img(i1). img(i2).
addition(A,B,N) :- digit(0,A,N1), digit(0,B,N2), N=N1+N2.
nn(digit(1,X),[0,1,2]) :- img(X).
"""


class Table(torch.nn.Module):
    """A network with known outputs: its input names the row."""

    def __init__(self, *rows):
        super().__init__()
        self.rows = torch.nn.Parameter(torch.tensor(rows, dtype=torch.float64))

    def forward(self, index):
        return self.rows[index] * 1


def at(*rows):
    return torch.tensor(rows)


def made(program, **networks):
    """An object that learns nothing by itself: gradients stay in the networks' parameters."""
    return NeurASP(program, networks, None)


def gradient(program, observation, rows, **options):
    """The derivatives of log P(O) by one network's output, which learning ascends."""
    table = Table(rows)
    made(program, d=table).learn([{"x": at(0)}], [observation], 1, **options)
    return [-number for number in table.rows.grad[0].tolist()]


# --- gradients ---

def test_a_digit_sum_has_the_gradient_of_proposition_1():  # G1
    table = Table([0.2, 0.3, 0.5], [0.6, 0.3, 0.1])
    thing = made(ADDITION, digit=table)
    thing.learn([{"i1": at(0), "i2": at(1)}], [":- not addition(i1,i2,2)."], 1)
    # P = 0.2*0.1 + 0.3*0.3 + 0.5*0.6 = 0.41; for 0 of i1: (0.1 - 0.3 - 0.6) / 0.41
    assert (-table.rows.grad).tolist() == [pytest.approx([-0.8 / 0.41, -0.4 / 0.41, 0.2 / 0.41]),
                                           pytest.approx([0.0, -0.4 / 0.41, -0.6 / 0.41])]
    assert thing.nnGradients["digit"]["i1"] == pytest.approx([0.8 / 0.41, 0.4 / 0.41, -0.2 / 0.41])
    assert thing.nnOutputs["digit"]["i2"] == pytest.approx([0.6, 0.3, 0.1])


def test_the_gradient_is_the_slope_along_proposition_1s_direction():
    # The other outcomes of i1 absorb a change of p0: p1 and p2 fall by as much as their total choices lose.
    def log_probability(step):
        i1, i2 = [0.2 + step, 0.3 - step, 0.5 - step], [0.6, 0.3, 0.1]
        return math.log(i1[0] * i2[2] + i1[1] * i2[1] + i1[2] * i2[0])

    slope = (log_probability(1e-6) - log_probability(-1e-6)) / 2e-6
    table = Table([0.2, 0.3, 0.5], [0.6, 0.3, 0.1])
    made(ADDITION, digit=table).learn([{"i1": at(0), "i2": at(1)}], [":- not addition(i1,i2,2)."], 1)
    assert -table.rows.grad[0, 0].item() == pytest.approx(slope, rel=1e-5)


def test_choices_share_the_mass_of_a_total_choice():  # A3
    found = gradient(THREE + "{e} :- d(0,x,a).", ":- d(0,x,c).", [0.2, 0.3, 0.5])
    assert found == pytest.approx([0.0, 0.0, -4.0], abs=1e-9)


def test_optimal_models_without_weak_constraints_are_all_models():  # F1
    assert gradient(THREE, ":- not d(0,x,a).", [0.2, 0.3, 0.5], opt=True) == pytest.approx([5.0, -5.0, -5.0])


def test_weak_constraints_of_an_observation_select():
    observation = ":~ d(0,x,a). [2]\n:~ d(0,x,b). [1]\n:~ d(0,x,c). [2]"
    assert gradient(THREE, observation, [0.2, 0.5, 0.3], opt=True) == pytest.approx([-2.0, 2.0, -2.0])
    assert gradient(THREE, observation, [0.2, 0.5, 0.3]) == pytest.approx([-1.0, -1.0, -1.0])  # P(true): 1 - 1 - 1


def test_facts_of_an_observation_call_networks():  # D11
    table = Table([0.2, 0.3, 0.5])
    made("nn(d(1,X),[a,b,c]) :- img(X).", d=table).learn([{"i": at(0)}], ["img(i). :- not d(0,i,a)."], 1)
    assert (-table.rows.grad[0]).tolist() == pytest.approx([5.0, -5.0, -5.0])


@pytest.mark.parametrize("columns, paper", [([0.9], [1 / 0.9]), ([0.9, 0.1], [1 / 0.9, -1 / 0.9])])
def test_two_outcomes_have_one_column_or_two(columns, paper):  # G2, C2
    assert gradient("nn(d(1,x),[t,f]).", ":- not d(0,x,t).", columns) == pytest.approx(paper)


def test_two_columns_and_two_events_are_rows():  # C1
    table = Table([[0.9, 0.1], [0.3, 0.7]])
    thing = made("nn(d(2,x),[t,f]).", d=table)
    thing.learn([{"x": at(0)}], [":- not d(1,x,t)."], 1)
    assert (-table.rows.grad[0, 1]).tolist() == pytest.approx([1 / 0.3, -1 / 0.3])
    assert thing.infer({"x": at(0)}) == [["d(0,x,t)", "d(1,x,f)"]]


def test_networks_with_different_domains_learn_together():  # C5
    d, e = Table([0.2, 0.3, 0.5]), Table([0.1, 0.2, 0.3, 0.4])
    made(THREE + "nn(e(1,x),[a,b,c,d]).", d=d, e=e).learn([{"x": at(0)}], [":- not e(0,x,d)."], 1)
    assert (-d.rows.grad[0]).tolist() == pytest.approx([-1.0, -1.0, -1.0])
    assert (-e.rows.grad[0]).tolist() == pytest.approx([-2.5, -2.5, -2.5, 2.5])


def test_outputs_are_clamped_but_gradients_pass():  # F13
    found = gradient(THREE, ":- not d(0,x,b).", [1.0, 0.0, 0.0])
    assert found == pytest.approx([-1e7, 1e7, -1e7], rel=1e-6)


def test_batches_add_up_and_the_last_one_counts():  # F3, F4
    class Steps(torch.optim.SGD):
        def step(self, closure=None):
            seen.append(self.param_groups[0]["params"][0].grad[0, 0].item())
            super().step()

    seen = []
    table = Table([0.2, 0.3, 0.5])
    thing = NeurASP(THREE, {"d": table}, {"d": Steps(table.parameters(), lr=0.0)})
    thing.learn([{"x": at(0)}] * 3, [":- not d(0,x,a)."] * 3, 1, batchSize=2)
    assert seen == pytest.approx([-10.0, -5.0])


def test_an_impossible_observation_is_reported_and_teaches_nothing():  # F15
    with pytest.warns(neurasp.ProgramWarning, match="no stable model"):
        assert gradient(THREE, ":- d(0,x,a). :- d(0,x,b). :- d(0,x,c).", [0.2, 0.3, 0.5]) == [0.0, 0.0, 0.0]


def test_sampling_converges_to_the_exact_gradient():
    table = Table([0.6, 0.3, 0.1])
    made(THREE, d=table).learn([{"x": at(0)}] * 2000, [":- d(0,x,c)."] * 2000, 1, method="sampling")
    # Given O: a 2/3, b 1/3; (2/3)/0.6 = (1/3)/0.3 = 1.1111
    assert (-table.rows.grad[0] / 2000).tolist() == pytest.approx([0.0, 0.0, -2 / 0.9], abs=0.1)


def test_other_methods():
    # The prediction c violates the observation: it alone is pushed down, by 1/p of it.
    assert gradient(THREE, ":- d(0,x,c).", [0.2, 0.3, 0.5], method="nn_prediction") == pytest.approx([2.0, 2.0, -2.0])
    table = Table([0.2, 0.3, 0.5])
    made(THREE, d=table).learn([{"x": at(0)}], [":- d(0,x,a)."], 1, method="nn_prediction")
    assert table.rows.grad is None or not table.rows.grad.any()  # it holds: nothing to learn
    # P(not O) = 0.5 comes from c: minus the gradient of its logarithm
    assert gradient(THREE, ":- d(0,x,c).", [0.2, 0.3, 0.5], method="penalty") == pytest.approx([2.0, 2.0, -2.0])
    with pytest.raises(neurasp.UsageError, match="should be one of"):
        gradient(THREE, ":- d(0,x,c).", [0.2, 0.3, 0.5], method="guessing")


# --- labels ---

@pytest.mark.parametrize("program, row, label, derivative", [
    (THREE, [0.2, 0.3, 0.5], 1, [0.0, -1 / 0.3, 0.0]), ("nn(d(1,x),[t,f]).", [0.9], 1, [10.0])])  # C3: -log(1 - 0.9)
def test_labels_alone(program, row, label, derivative):
    table = Table(row)
    made(program, d=table).learn([{"x": (at(0), {"d": torch.tensor([label])})}], [""], 1, alpha=1)
    assert table.rows.grad[0].tolist() == pytest.approx(derivative)


def test_labels_and_rules_are_mixed():
    table = Table([0.2, 0.3, 0.5])
    data = [{"x": (at(0), {"d": torch.tensor([1])})}]
    made(THREE, d=table).learn(data, [":- not d(0,x,b)."], 1, alpha=0.25)
    assert table.rows.grad[0].tolist() == pytest.approx([0.75 / 0.3, -0.25 / 0.3 - 0.75 / 0.3, 0.75 / 0.3])
    other = Table([0.2, 0.3, 0.5])
    criterion = lambda rows, label: rows[0, int(label)] * 3  # noqa: E731
    made(THREE, d=other).learn(data, [""], 1, alpha=1, lossFunc=criterion)
    assert other.rows.grad[0].tolist() == pytest.approx([0.0, 3.0, 0.0])


# --- constants, caches, rules ---

def test_constants_rename_keys_and_leave_the_callers_dictionary():  # E1, E3, E4, E5, F16
    table = Table([0.2, 0.3, 0.5])
    thing = made("#const a=1. % #const z=3.\n#const k=7. % size = seven.\nnn(d(1,k),[x,y,z]).\no :- d(0,k,z).", d=table)
    assert thing.const == {"a": "1", "k": "7"} and thing.constReplacement("k, f(k)") == "7,f(7)"
    data = {"k": at(0)}
    thing.learn([data], [":- not d(0,k,y)."], 1)
    assert table.rows.grad[0, 1].item() == pytest.approx(-1 / 0.3)
    assert sorted(thing.infer(data)[0]) == ["d(0,7,z)", "o"] and list(data) == ["k"]


@pytest.mark.parametrize("content", [None, b"no pickle at all", pickle.dumps([[["d(0,x,b)"]]]), pickle.dumps({"a": 1})])
def test_a_file_of_stable_models_does_no_harm(tmp_path, content):  # F2
    path = tmp_path / "models.pickle"
    if content is not None:
        path.write_bytes(content)
    found = gradient(THREE, ":- not d(0,x,a).", [0.2, 0.3, 0.5], smPickle=str(path), storeSM=True)
    assert found == pytest.approx([5.0, -5.0, -5.0])


def test_stored_models_belong_to_their_observations():  # F2
    table = Table([0.2, 0.3, 0.5])
    thing = made(THREE, d=table)
    for observation, expected in ((":- not d(0,x,a).", [5, -5, -5]), (":- not d(0,x,b).", [-10 / 3, 10 / 3, -10 / 3])):
        table.rows.grad = None
        thing.learn([{"x": at(0)}], [observation], 1, storeSM=True)
        assert (-table.rows.grad[0]).tolist() == pytest.approx(expected)
    assert thing.stableModels == [[["d(0,x,b)"]]]


def test_learned_rules_reach_inference():  # C6, F14
    thing = made("nn(d(1,x),[a,b]).\n@0.5 r; @0.5 s.", d=Table([0.9]))
    thing.learn([{"x": at(0)}], [":- r."], 1, lr=0.1)
    # 1/0.5 upwards for s, as much downwards for r: 0.5 -+ 0.2
    assert thing.normalProbs == [pytest.approx([0.3, 0.7])]
    assert sorted(thing.infer({"x": at(0)})[0]) == ["d(0,x,a)", "s"]
    assert sorted(thing.infer({"x": at(0)}, mvpp="@0.5 r; @0.5 s. z :- s.")[0]) == ["d(0,x,a)", "s", "z"]


# --- both forms of learn ---

def test_a_data_set_of_batches():
    table = Table([0.2, 0.3, 0.5], [0.6, 0.3, 0.1])
    batches = [({"i1": at(0, 0), "i2": at(1, 1)}, [":- not addition(i1,i2,2).", ":- not addition(i1,i2,0)."])]
    optimizer = torch.optim.SGD(table.parameters(), lr=1.0)
    thing = NeurASP(ADDITION, {"digit": table}, {"digit": optimizer})
    before = table.rows.detach().clone()
    thing.learn(batches, 1)
    # The mean of two: 0.6/0.41 for 2 of i1 in the first; 1/0.2 for 0 of i1 in the second.
    moved = (table.rows.detach() - before)[0].tolist()
    assert moved == pytest.approx([(0.1 / 0.41 + 1 / 0.2) / 2, 0.3 / 0.41 / 2, 0.6 / 0.41 / 2])
    thing.learn(dataset=batches, epoch=1, seed=1)
    with pytest.raises(neurasp.UsageError, match="needs dataList"):
        thing.learn()


def test_batches_of_one_column():
    table = Table([0.8], [0.4])
    thing = NeurASP("nn(d(1,x),[t,f]).", {"d": table}, {"d": torch.optim.SGD(table.parameters(), lr=1.0)})
    thing.learn([({"x": at(0, 1)}, [":- not d(0,x,t).", ":- not d(0,x,f)."])], 1)
    assert table.rows.detach().reshape(-1).tolist() == pytest.approx([0.8 + 0.5 / 0.8, 0.4 - 0.5 / 0.6])


def test_lengths_and_alpha_are_checked():
    thing = made(THREE, d=Table([0.2, 0.3, 0.5]))
    with pytest.raises(AssertionError, match="length of dataList"):
        thing.learn([{}], [], 1)
    with pytest.raises(AssertionError, match="alpha"):
        thing.learn([], [], 1, alpha=2)


# --- importing ---

def test_importing_the_package_does_not_import_torch():
    code = "import neurasp, sys; assert 'torch' not in sys.modules; from mvpp import MVPP; " \
           "assert 'torch' not in sys.modules; from neurasp import NeurASP; assert 'torch' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_nothing_warns_about_atoms_that_only_some_observations_define():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made(THREE + "mistake :- d(0,x,a), removed(1).", d=Table([0.2, 0.3, 0.5])).infer({"x": at(0)}, ":- mistake.")
