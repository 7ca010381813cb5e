"""How a step of NeurASP.learn reads what networks return, and where its derivatives go."""

import pytest

torch = pytest.importorskip("torch")

import neurasp  # noqa: E402
from neurasp import NeurASP  # noqa: E402

TWO_EVENTS = "nn(d(2,x),[a,b,c]).\n"
ROWS = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
# P(d(0,x,a)) = 0.2: 1/0.2 for a, as much against it for b and c. The other event does not matter: 1 - 1 - 1 for each outcome.
BY_ROWS = [[5.0, -5.0, -5.0], [-1.0, -1.0, -1.0]]


class Shown(torch.nn.Module):
    """A network that returns its parameter, seen in some way."""

    def __init__(self, numbers, view, dtype=torch.float64):
        super().__init__()
        self.numbers = torch.nn.Parameter(torch.tensor(numbers, dtype=dtype))
        self.view = view

    def forward(self, _):
        return self.view(self.numbers)


def learned(program, network, *observations, **options):
    """The derivatives of log P(O) by the network's parameter, added up over the observations."""
    data = [{"x": torch.zeros(1)} for _ in observations]
    NeurASP(program, {"d": network}, None).learn(data, list(observations), 1, **options)
    return (-network.numbers.grad).tolist()


def flat(rows):
    return [number for row in rows for number in row]


@pytest.mark.parametrize("dtype, tolerance", [(torch.float64, 1e-9), (torch.float32, 1e-5), (torch.bfloat16, 2e-2)])
@pytest.mark.parametrize("method", ["exact", "penalty"])
def test_outputs_of_any_precision(dtype, tolerance, method):
    network = Shown(ROWS, lambda numbers: numbers * 1, dtype)
    found = learned(TWO_EVENTS, network, ":- not d(0,x,a).", method=method)
    assert network.numbers.grad.dtype == dtype
    # log(1 - P) has the derivative -(dP) / 0.8, and P + (1 - P) = 1, whose derivative is that of what does not matter.
    penalty = [[(5.0 * 0.2 + 1) / -0.8, (-5.0 * 0.2 + 1) / -0.8, (-5.0 * 0.2 + 1) / -0.8], [(-0.2 + 1) / -0.8] * 3]
    expected = BY_ROWS if method == "exact" else [[-number for number in row] for row in penalty]
    assert flat(found) == pytest.approx(flat(expected), rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("view", [lambda numbers: numbers.t(), lambda numbers: numbers.t().unsqueeze(0),
                                  lambda numbers: torch.stack((numbers, numbers))[0].t()])
def test_outputs_with_gaps(view):
    columns = [list(column) for column in zip(*ROWS)]
    found = learned(TWO_EVENTS, Shown(columns, view), ":- not d(0,x,a).")
    assert [list(row) for row in zip(*found)] == [pytest.approx(row) for row in BY_ROWS]


def test_what_does_not_matter_differs_between_observations():
    found = learned(TWO_EVENTS, Shown(ROWS, lambda numbers: numbers * 1), ":- not d(0,x,a).", ":- not d(1,x,b).")
    third = 1 / 0.3
    assert found == [pytest.approx([5 - 1, -5 - 1, -5 - 1]), pytest.approx([-1 - third, -1 + third, -1 - third])]


def test_derivatives_of_steps_do_not_share_memory():
    # Autograd keeps what comes back through a view as the parameter's gradient, and adds the next step to it.
    network = Shown(flat(ROWS), lambda numbers: numbers.view(2, 3))
    found = learned(TWO_EVENTS, network, ":- not d(0,x,a).", ":- not d(0,x,b).", batchSize=2)
    assert found == pytest.approx([5 - 1 / 0.3, -5 + 1 / 0.3, -5 - 1 / 0.3, -2, -2, -2])


def test_rows_need_not_sum_to_one():
    # They are normalized, and the derivative is the one by the normalized numbers, as in the original.
    found = learned("nn(d(1,x),[a,b,c]).", Shown([[0.4, 0.2, 0.2]], lambda numbers: numbers * 1), ":- not d(0,x,a).")
    assert found == [pytest.approx([2.0, -2.0, -2.0])]


@pytest.mark.parametrize("numbers", [[0.5, 0.5], [[0.2, 0.3, 0.5]] * 3])
@pytest.mark.parametrize("method", ["exact", "nn_prediction"])
def test_outputs_of_the_wrong_size_are_named(numbers, method):
    with pytest.raises(neurasp.UsageError, match=r"'d' must return 6 numbers for 'x' \(2 rows of 3 outcomes\), found"):
        learned(TWO_EVENTS, Shown(numbers, lambda numbers: numbers * 1), ":- not d(0,x,a).", method=method)


def test_nan_is_named():
    rows = [ROWS[0], [0.5, float("nan"), 0.5]]
    with pytest.raises(neurasp.InputError, match="network 'd' for 'x' is not a distribution in example 0, row 1.*NaN"):
        learned(TWO_EVENTS, Shown(rows, lambda numbers: numbers * 1), ":- not d(0,x,a).")


def test_outputs_without_gradient_teach_nothing():
    network = Shown(ROWS, lambda numbers: numbers.detach() * 1)
    NeurASP(TWO_EVENTS, {"d": network}, None).learn([{"x": torch.zeros(1)}], [":- not d(0,x,a)."], 1)
    assert network.numbers.grad is None
