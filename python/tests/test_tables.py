"""Bayesian networks as circuits: their sums branch on what the random variables define. Compared with sums over all joint values."""

import itertools

import pytest

import neurasp

torch = pytest.importorskip("torch")

# The nodes of the chest clinic (Lauritzen, Spiegelhalter 1988) with their parents. All tables have two columns.
PARENTS = {"visit": (), "smoker": (), "tub": ("visit",), "lung": ("smoker",), "bronc": ("smoker",), "either": ("lung", "tub"),
           "xray": ("either",), "dysp": ("either", "bronc")}
EVIDENCE = {"xray": 1, "dysp": 0}
ROUNDING = {torch.float64: 1e-12, torch.float32: 2e-5}  # relative


def row_name(node, values):
    return f"{node}({','.join(map(str, values))})" if values else node


def compiled_clinic(smooth):
    lines = ["nn(table(1,R),[0,1]) :- row(R)."]
    for node, parents in PARENTS.items():
        for values in itertools.product((0, 1), repeat=len(parents)):
            row = row_name(node, values)
            body = "".join(f"is({parent},{value}), " for parent, value in zip(parents, values))
            lines.append(f"row({row}). is({node},V) :- {body}table(0,{row},V).")
    observation = " ".join(f":- not is({node},{value})." for node, value in EVIDENCE.items())
    return neurasp.Program("\n".join(lines)).compile(observe=observation, smooth=smooth)


@pytest.fixture(scope="module")
def clinic():
    return compiled_clinic(False)


def columns(compiled):
    """Where the two numbers of each row are."""
    return {atoms[0][len("table(0,"):-len(",0)")]: 2 * i for i, (_, atoms) in enumerate(compiled.variables)}


def by_worlds(compiled, weights, add, unused):
    """Over all joint values of the nodes that agree with the evidence: the product of the numbers that they use, times what
    the other rows contribute."""
    place = columns(compiled)
    terms = []
    for values in itertools.product((0, 1), repeat=len(PARENTS)):
        world = dict(zip(PARENTS, values))
        if any(world[node] != value for node, value in EVIDENCE.items()):
            continue
        used = {row_name(node, [world[parent] for parent in parents]): world[node] for node, parents in PARENTS.items()}
        product = 1.0
        for row, start in place.items():
            pair = weights[:, start:start + 2]
            product = product * (pair[:, used[row]] if row in used else unused(pair))
        terms.append(product)
    return add(torch.stack(terms))


def rows(compiled, batch, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(batch, 2 * len(compiled.variables), generator=generator, dtype=torch.float64) + 0.05


def total(pair):
    return pair.sum(1)


def best(pair):
    return pair.max(1).values


def test_the_circuit_has_sums_without_a_variable(clinic):
    kinds = [line[0] for line in clinic.to_text().splitlines() if line[0] in "*+|"]
    assert "|" in kinds


@pytest.mark.parametrize("kind", [torch.float64, torch.float32])
@pytest.mark.parametrize("batch", [1, 3, 17, 256])
def test_sums_and_logarithms_have_the_values_and_derivatives_of_the_network(clinic, kind, batch):
    weights = rows(clinic, batch, seed=batch)
    weights = weights / weights.view(batch, -1, 2).sum(2).repeat_interleave(2, 1)  # distributions: the circuit is not smooth
    expected = weights.clone().requires_grad_()
    probability = by_worlds(clinic, expected, lambda terms: terms.sum(0), total)
    slopes, = torch.autograd.grad(probability.sum(), expected)
    for semiring in ("sum", "log"):
        found = weights.to(kind).requires_grad_()
        values = clinic.to_torch(semiring)(found)
        gradient, = torch.autograd.grad(values.sum(), found)
        value = probability.detach() if semiring == "sum" else probability.detach().log()
        torch.testing.assert_close(values.detach().double(), value, rtol=ROUNDING[kind], atol=ROUNDING[kind])
        slope = slopes if semiring == "sum" else slopes / probability.detach()[:, None]
        # a row that drops out adds the same to both of its numbers
        difference = (gradient.double() - slope).view(batch, -1, 2)
        torch.testing.assert_close(difference[:, :, 0], difference[:, :, 1], rtol=0, atol=50 * ROUNDING[kind])


def test_smooth_circuits_are_right_for_any_weights():
    smooth = compiled_clinic(True)
    weights = rows(smooth, 20, seed=5)
    best_choice = by_worlds(smooth, weights, lambda terms: terms.max(0).values, best).log()
    torch.testing.assert_close(smooth.to_torch("max")(weights), best_choice, rtol=1e-12, atol=1e-12)
    weights.requires_grad_()
    slopes, = torch.autograd.grad(by_worlds(smooth, weights, lambda terms: terms.sum(0), total).sum(), weights)
    found, = torch.autograd.grad(smooth.to_torch("sum")(weights).sum(), weights)
    torch.testing.assert_close(found, slopes, rtol=1e-12, atol=1e-12)
