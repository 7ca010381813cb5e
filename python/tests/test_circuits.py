"""Compiled questions: drawings, numbers of circuits, and circuits as torch modules beside brute force and C++."""

import copy
import itertools
import math
import pickle
import shutil
import threading

import pytest

import neurasp

torch = pytest.importorskip("torch")

ROUNDING = {torch.float64: 1e-12, torch.float32: 2e-5}  # relative; circuits here have fewer than 20,000 edges


@pytest.fixture
def rain():
    return neurasp.Program("0.3 : rain. { umbrella } :- rain. wet :- rain, not umbrella.")


def digits(count, outcomes):
    values = ", ".join(map(str, range(outcomes)))
    return f"""
        img(1..{count}).
        nn(digit(1,I), [{values}]) :- img(I).
        sum(0,0). sum(I,S+D) :- sum(I-1,S), digit(0,I,D)."""


def compiled_digits(count, outcomes, total):
    return neurasp.Program(digits(count, outcomes)).compile(observe=f":- not sum({count},{total}).")


def grid(size):
    """Reachability from corner to corner: the circuit has shared parts, sums of one term, and products."""
    edges = [(i * size + j, i * size + j + step) for i in range(size) for j in range(size)
             for step, fits in ((1, j + 1 < size), (size, i + 1 < size)) if fits]
    rules = "".join(f"0.6 : edge({a},{b}). " for a, b in edges)
    program = neurasp.Program(rules + "at(0). at(Y) :- at(X), edge(X,Y). at(X) :- at(Y), edge(X,Y).")
    return program.compile(observe=f":- not at({size * size - 1}).")


def rows_of(compiled, batch, dtype=torch.float64, seed=1):
    generator = torch.Generator().manual_seed(seed)
    rows = [torch.softmax(torch.randn(batch, len(atoms), generator=generator, dtype=torch.float64), 1)
            for _, atoms in compiled.variables]
    return torch.cat([torch.empty(batch, 0, dtype=torch.float64), *rows], 1).to(dtype)


def brute_force(compiled, count, outcomes, total, weights):
    """P(O), the probability of the best choice, and both derivatives, by going through all choices."""
    place = {}
    start = 0
    for name, atoms in compiled.variables:
        image = int(name.split("(", 1)[1].rstrip(")").split(",")[-1])
        place[image] = start
        start += len(atoms)
    probability, by_input = 0.0, [0.0] * start
    best, best_choice = 0.0, ()
    for choice in itertools.product(range(outcomes), repeat=count):
        if sum(choice) != total:
            continue
        inputs = [place[image + 1] + digit for image, digit in enumerate(choice)]
        product = math.prod(weights[i] for i in inputs)
        probability += product
        if product > best:
            best, best_choice = product, inputs
        for i in inputs:
            by_input[i] += math.prod(weights[other] for other in inputs if other != i)
    return probability, by_input, best, best_choice


def cpp(compiled, weights):
    """log P(O) and its derivatives by the evaluator in C++."""
    kind = _evaluators()[weights.dtype]
    across = weights.detach().t().contiguous()
    logs = torch.empty(len(weights), dtype=weights.dtype)
    gradient = torch.empty_like(across)
    kind(compiled._core).run(across.data_ptr(), len(weights), logs.data_ptr(), gradient.data_ptr())
    return logs, gradient.t()


def _evaluators():
    return {torch.float64: neurasp._core.DoubleEvaluator, torch.float32: neurasp._core.FloatEvaluator}


def values_and_gradient(module, weights):
    weights = weights.clone().requires_grad_()
    values = module(weights)
    gradient, = torch.autograd.grad(values.sum(), weights)
    return values.detach(), gradient


@pytest.mark.parametrize("total", [0, 1, 5, 8])
def test_all_semirings_equal_brute_force(total):
    compiled = compiled_digits(4, 3, total)
    weights = rows_of(compiled, 3)
    results = {name: values_and_gradient(compiled.to_torch(name), weights) for name in ("sum", "log", "max")}
    for example, numbers in enumerate(weights.tolist()):
        probability, by_input, best, best_choice = brute_force(compiled, 4, 3, total, numbers)
        values, gradient = results["sum"]
        assert float(values[example]) == pytest.approx(probability, rel=1e-12)
        assert gradient[example].tolist() == pytest.approx(by_input, rel=1e-12)
        values, gradient = results["log"]
        assert float(values[example]) == pytest.approx(math.log(probability), rel=1e-12)
        assert gradient[example].tolist() == pytest.approx([number / probability for number in by_input], rel=1e-12)
        values, gradient = results["max"]
        assert float(values[example]) == pytest.approx(math.log(best), rel=1e-12)
        marked = [1 / number if i in best_choice else 0.0 for i, number in enumerate(numbers)]
        assert gradient[example].tolist() == pytest.approx(marked, rel=1e-12)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("make", [lambda: grid(4), lambda: compiled_digits(6, 10, 27),
                                  lambda: neurasp.Program("".join(f"0.4 : x({i}). " for i in range(20))).compile(
                                      observe=":- #count { I : x(I) } != 7.")])
def test_log_equals_the_evaluator_in_cpp(make, dtype):
    compiled = make()
    weights = rows_of(compiled, 33, dtype)
    values, gradient = values_and_gradient(compiled.to_torch(), weights)
    logs, by_weight = cpp(compiled, weights)
    assert torch.allclose(values, logs, rtol=ROUNDING[dtype], atol=ROUNDING[dtype])
    assert torch.allclose(gradient, by_weight, rtol=ROUNDING[dtype], atol=ROUNDING[dtype])


@pytest.mark.parametrize("semiring", ["sum", "log", "max"])
def test_gradcheck(semiring):
    compiled = compiled_digits(3, 3, 3)
    weights = rows_of(compiled, 2).requires_grad_()
    assert torch.autograd.gradcheck(compiled.to_torch(semiring), (weights,))


def test_probabilities_of_0_have_their_derivatives():
    compiled = compiled_digits(2, 2, 1)  # P = a0 b1 + a1 b0
    weights = torch.tensor([[0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]], dtype=torch.float64)
    values, gradient = values_and_gradient(compiled.to_torch(), weights)
    assert values.tolist() == [0.0, -math.inf]
    assert gradient[0].tolist() == [0.0, 1.0, 1.0, 0.0]
    assert gradient[1].tolist() == [0.0] * 4  # P(O) = 0: as in training, no derivative
    values, gradient = values_and_gradient(compiled.to_torch("sum"), weights)
    assert values.tolist() == [1.0, 0.0]
    assert gradient[1].tolist() == [0.0, 1.0, 0.0, 1.0]
    values, gradient = values_and_gradient(compiled.to_torch("max"), weights)
    assert values.tolist() == [0.0, -math.inf]
    assert gradient.tolist() == [[0.0, 1.0, 1.0, 0.0], [0.0] * 4]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_log_does_not_underflow(dtype):
    count = 200
    compiled = neurasp.Program("".join(f"0.5 : x({i}). " for i in range(count))).compile(
        observe=":- not x(I), I = 0.." + str(count - 1) + ".")
    small = 1e-3
    weights = torch.tensor([[small, 1 - small] * count, [0.9, 0.1] * count], dtype=dtype)
    values, gradient = values_and_gradient(compiled.to_torch(), weights)
    assert values.tolist() == pytest.approx([count * math.log(small), count * math.log(0.9)], rel=1e-6)
    assert gradient[0].tolist() == pytest.approx([1 / small, 0.0] * count, rel=1e-6)  # far below 1e-250
    assert gradient[1].tolist() == pytest.approx([1 / 0.9, 0.0] * count, rel=1e-6)
    weights[0, 0] = 0.0  # now P(O) = 0
    values, gradient = values_and_gradient(compiled.to_torch(), weights)
    assert float(values[0]) == -math.inf
    assert gradient[0].abs().max() == 0.0


def test_a_weight_of_0_far_below_the_range_has_its_derivative():
    # P = (x0 + y0) * x1 * ... * x200 with x0 = 0
    compiled = neurasp.Program("".join(f"0.5 : x({i}). " for i in range(201)) + "0.5 : y. z :- x(0). z :- y.").compile(
        observe=":- not z. :- not x(I), I = 1..200.")
    names = [atoms[0] for _, atoms in compiled.variables]
    row = []
    for name in names:
        row += {"x(0)": [0.0, 1.0], "y": [0.25, 0.75]}.get(name, [1e-3, 0.999])
    weights = torch.tensor([row], dtype=torch.float64)
    values, gradient = values_and_gradient(compiled.to_torch(), weights)
    assert float(values) == pytest.approx(math.log(0.25) + 200 * math.log(1e-3), rel=1e-9)
    logs, by_weight = cpp(compiled, weights)
    assert gradient[0].tolist() == pytest.approx(by_weight[0].tolist(), rel=1e-9)
    assert float(gradient[0, 2 * names.index("x(0)")]) > 0.0


def test_constants_of_free_choices(rain):
    compiled = rain.compile(observe=":- not wet.")  # one of two models: P = 0.5 rain
    weights = torch.tensor([compiled.weights(), [0.8, 0.2]], dtype=torch.float64)
    values, gradient = values_and_gradient(compiled.to_torch("sum"), weights)
    assert values.tolist() == pytest.approx([0.15, 0.4])
    assert gradient.tolist() == [[0.5, 0.0], [0.5, 0.0]]
    assert compiled.to_torch().float().double()(weights).exp().tolist() == pytest.approx([0.15, 0.4], rel=1e-15)


def test_constants_keep_their_digits():
    program = neurasp.Program("0.3 : rain. 1 { a; b; c } 1 :- rain.")  # 1/3 is no float
    compiled = program.compile(observe=":- not a.")
    weights = torch.tensor([compiled.weights()], dtype=torch.float64)
    assert float(compiled.to_torch("sum").half().double()(weights)) == pytest.approx(0.1, rel=1e-15)


def test_free_atoms_weigh_1():
    program = neurasp.Program("0.3 : rain. { umbrella; hat } :- rain.")  # four models when it rains
    compiled = program.compile(observe=":- not rain.")
    weights = torch.tensor([compiled.weights()], dtype=torch.float64)
    assert float(compiled.to_torch("sum")(weights)) == pytest.approx(0.3)


def test_externals_have_the_programs_value():
    program = neurasp.Program("#external storm. 0.3 : rain. wet :- rain. wet :- storm.")
    compiled = program.compile(observe=":- not wet.")
    weights = torch.tensor([compiled.weights()], dtype=torch.float64)
    assert float(compiled.to_torch("sum")(weights)) == pytest.approx(0.3)


@pytest.mark.parametrize("observe, expected", [(None, 0.0), (":- rain. :- not rain.", -math.inf)])
def test_circuits_without_nodes(rain, observe, expected):
    compiled = rain.compile(observe=observe)
    weights = rows_of(compiled, 3)
    values, gradient = values_and_gradient(compiled.to_torch(), weights)
    assert values.tolist() == pytest.approx([expected] * 3)
    assert torch.isfinite(gradient).all()


def test_a_single_outcome_is_its_weight(rain):
    compiled = rain.compile(observe=":- not rain.")
    values, gradient = values_and_gradient(compiled.to_torch("sum"), torch.tensor([[0.2, 0.8]]))
    assert values.tolist() == pytest.approx([0.2])
    assert gradient.tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize("semiring", ["sum", "log", "max"])
def test_examples_do_not_depend_on_their_batch(semiring, monkeypatch):
    compiled = compiled_digits(5, 10, 22)
    weights = rows_of(compiled, 300)
    module = compiled.to_torch(semiring)
    values, gradient = values_and_gradient(module, weights)
    for batch in (1, 7, 256):
        few, of_few = values_and_gradient(module, weights[:batch])
        assert torch.allclose(few, values[:batch], rtol=1e-12, atol=0)
        assert torch.allclose(of_few, gradient[:batch], rtol=1e-12, atol=1e-300)
    # Large circuits: few examples in turn, groups in parts.
    monkeypatch.setattr("neurasp.circuit_module._ROW_BYTES", 32 * 8)
    monkeypatch.setattr("neurasp._blocks.CHUNK_BYTES", {"cpu": 2 * 7 * 32 * 8})
    parts, of_parts = values_and_gradient(compiled.to_torch(semiring), weights)
    assert torch.allclose(parts, values, rtol=1e-12, atol=0)
    assert torch.allclose(of_parts, gradient, rtol=1e-12, atol=1e-300)
    assert module(weights[:0]).shape == (0,)


def test_equal_choices_share_the_derivative_of_the_maximum():
    compiled = compiled_digits(2, 2, 1)
    weights = torch.full((1, 4), 0.5, dtype=torch.float64)
    values, gradient = values_and_gradient(compiled.to_torch("max"), weights)
    assert float(values) == pytest.approx(math.log(0.25))
    assert gradient.tolist() == [[1.0, 1.0, 1.0, 1.0]]  # two choices, each a half of 1 / 0.5


def test_half_precision_is_computed_in_float():
    compiled = compiled_digits(3, 3, 3)
    weights = rows_of(compiled, 4)
    values = compiled.to_torch()(weights.half())
    assert values.dtype == torch.float16
    assert torch.allclose(values.double(), compiled.to_torch()(weights), atol=5e-3)  # half: three digits


def test_modules_are_pickled_copied_and_nested():
    compiled = compiled_digits(3, 3, 3)
    module = compiled.to_torch()
    weights = rows_of(compiled, 5)
    expected = module(weights)
    for other in (pickle.loads(pickle.dumps(module)), copy.deepcopy(module), module.to("cpu")):
        assert torch.equal(other(weights), expected)
    model = torch.nn.Sequential(torch.nn.Linear(2, compiled.inputs), torch.nn.Sigmoid(), module)
    assert set(model.state_dict()) == {"0.weight", "0.bias"}  # the circuit comes from the program
    model.load_state_dict(model.state_dict())
    model(torch.randn(4, 2)).sum().backward()
    assert model[0].weight.grad.abs().sum() > 0


def test_threads_share_a_module():
    compiled = compiled_digits(4, 5, 8)
    module = compiled.to_torch()
    batches = [rows_of(compiled, 16, seed=seed) for seed in range(4)]
    expected = [values_and_gradient(module, batch) for batch in batches]
    wrong = []

    def work(number):
        for _ in range(30):
            values, gradient = values_and_gradient(module, batches[number])
            if not torch.equal(values, expected[number][0]) or not torch.equal(gradient, expected[number][1]):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(batches))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(torch.library, "custom_op") or not (shutil.which("c++") or shutil.which("g++")),
                    reason="needs torch 2.4 and a C++ compiler")
@pytest.mark.parametrize("semiring", ["log", "sum", "max"])
def test_torch_compile_takes_the_whole_graph(semiring):
    compiled = compiled_digits(4, 3, 5)
    module = compiled.to_torch(semiring)
    torch._dynamo.reset()
    fast = torch.compile(module, fullgraph=True)  # a graph break would be an error
    for batch in (3, 5):
        weights = rows_of(compiled, batch)
        values, gradient = values_and_gradient(fast, weights)
        expected, by_weight = values_and_gradient(module, weights)
        assert torch.equal(values, expected)
        assert torch.equal(gradient, by_weight)
        if semiring == "log":
            logs, by_weight = cpp(compiled, weights)
            assert torch.allclose(values, logs, rtol=1e-12, atol=1e-12)
            assert torch.allclose(gradient, by_weight, rtol=1e-12, atol=1e-12)
        with torch.no_grad():
            assert torch.equal(fast(weights), expected)


def test_derivatives_elsewhere_equal_those_of_the_cpu(monkeypatch):
    # Other devices add rows by index_add_; the CPU can do so, too.
    compiled = grid(4)
    weights = rows_of(compiled, 9)
    values, gradient = values_and_gradient(compiled.to_torch(), weights)
    monkeypatch.setattr("neurasp._blocks.SPARSE_ON", ())
    others, by_weight = values_and_gradient(compiled.to_torch(), weights)
    assert torch.equal(others, values)
    assert torch.allclose(by_weight, gradient, rtol=1e-12, atol=0)


@pytest.mark.parametrize("make", [lambda: grid(4), lambda: compiled_digits(5, 10, 22)])
@pytest.mark.parametrize("is_sparse", [True, False])
def test_groups_that_share_outcomes_equal_those_that_do_not(make, is_sparse, monkeypatch):
    compiled = make()
    weights = rows_of(compiled, 9)
    if not is_sparse:
        monkeypatch.setattr("neurasp._blocks.SPARSE_ON", ())
    for semiring in ("sum", "log", "max"):
        monkeypatch.setattr("neurasp._layers.LEAST_SHARED", 1 << 40)
        alone = compiled.to_torch(semiring)
        assert not any(group.outcomes for group in alone._groups)
        values, gradient = values_and_gradient(alone, weights)
        monkeypatch.setattr("neurasp._layers.LEAST_SHARED", 1)
        shared = compiled.to_torch(semiring)
        assert any(len(group.outcomes) > 1 for group in shared._groups)
        for chunk in (1 << 21, 2 * 7 * 9 * 8):  # whole groups, and groups in parts
            monkeypatch.setattr("neurasp._blocks.CHUNK_BYTES", {"cpu": chunk})
            others, by_weight = values_and_gradient(copy.deepcopy(shared), weights)
            assert torch.allclose(others, values, rtol=1e-12, atol=0)
            assert torch.allclose(by_weight, gradient, rtol=1e-12, atol=1e-300)
    logs, by_weight = cpp(compiled, weights)
    others, gradient = values_and_gradient(copy.deepcopy(compiled.to_torch()), weights)
    assert torch.allclose(others, logs, rtol=1e-12, atol=1e-12)
    assert torch.allclose(gradient, by_weight, rtol=1e-12, atol=1e-12)


def test_results_do_not_change_with_the_next_call():
    compiled = compiled_digits(3, 3, 3)
    module = compiled.to_torch()
    one, other = rows_of(compiled, 4, seed=1), rows_of(compiled, 4, seed=2)
    with torch.inference_mode():
        module(other)  # makes the buffers
    weights = one.clone().requires_grad_()
    values = module(weights)
    kept = values.detach().clone()
    values_and_gradient(module, other)
    assert torch.equal(values, kept)
    values.sum().backward()
    assert torch.allclose(weights.grad, cpp(compiled, one)[1], rtol=1e-12, atol=1e-12)


def test_no_derivatives_are_computed_without_grad(monkeypatch):
    compiled = compiled_digits(3, 3, 3)
    module = compiled.to_torch()
    weights = rows_of(compiled, 4).requires_grad_()
    expected = module(weights).detach()
    monkeypatch.setattr(module, "_derivatives", None)  # cannot be called
    with torch.no_grad():
        assert torch.equal(module(weights), expected)
    with pytest.raises(TypeError):
        module(weights)


def test_mistakes_are_named():
    compiled = compiled_digits(2, 2, 1)
    with pytest.raises(neurasp.UsageError, match="no semiring 'tropical'; there are log, sum, max"):
        compiled.to_torch("tropical")
    with pytest.raises(neurasp.UsageError, match=r"batch x 4 probabilities, found a tensor of shape \(3,\)"):
        compiled.to_torch()(torch.ones(3))


def test_compiled_questions_say_what_they_are(rain):
    compiled = rain.compile(observe=":- not wet.")
    assert compiled.log_probability() == pytest.approx(math.log(0.15))
    assert len(compiled.variables) == 1
    assert compiled.inputs == 2
    assert compiled.weights() == pytest.approx([0.3, 0.7])
    assert compiled.draw().dot.startswith("digraph")
    assert f"{compiled.nodes} nodes" in repr(compiled)
