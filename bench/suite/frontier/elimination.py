"""The probability of evidence in a network of factors, by elimination of variables (Zhang, Poole 1994; Dechter 1996)."""

from math import prod

from .instance import MOST_NUMBERS


class Factor:
    """Numbers for the joint values of some variables; the last variable changes first."""

    def __init__(self, scope, numbers):
        self.scope, self.numbers = scope, numbers

    def given(self, variable, value, cards):
        """The factor for one value of a variable."""
        if variable not in self.scope:
            return self
        rest = tuple(v for v in self.scope if v != variable)
        places = self.places((*rest, variable), cards)
        return Factor(rest, [self.numbers[at] for at in places[value::cards[variable]]])

    def places(self, scope, cards):
        """Where this factor has the number for each joint value of a larger scope."""
        steps, step = {}, 1
        for variable in reversed(self.scope):
            steps[variable] = step
            step *= cards[variable]
        found = [0]
        for variable in scope:
            step = steps.get(variable, 0)
            found = [at + step * value for at in found for value in range(cards[variable])]
        return found


def probability_of_evidence(cards, factors, evidence):
    """The sum, over the joint values that agree with the evidence, of the product of all factors. None if some step would
    need too large a factor."""
    for variable, value in evidence.items():
        factors = [factor.given(variable, value, cards) for factor in factors]
    waiting = {variable for factor in factors for variable in factor.scope}
    neighbours = {v: {w for f in factors if v in f.scope for w in f.scope} - {v} for v in waiting}
    while waiting:
        variable = min(sorted(waiting), key=lambda v: (missing_pairs(v, neighbours), len(neighbours[v])))
        scope = (*sorted(neighbours[variable]), variable)
        if prod(cards[v] for v in scope) > MOST_NUMBERS:
            return None
        used = [factor for factor in factors if variable in factor.scope]
        factors = [factor for factor in factors if variable not in factor.scope] + [summed(used, scope, cards)]
        waiting.remove(variable)
        for v in neighbours[variable]:
            neighbours[v] |= neighbours[variable]
            neighbours[v] -= {v, variable}
    return prod(factor.numbers[0] for factor in factors)


def missing_pairs(variable, neighbours):
    around = neighbours[variable]
    return sum(len(around - neighbours[v]) - 1 for v in around)


def summed(factors, scope, cards):
    """The product of the factors without the last variable of the scope."""
    product = [1.0]
    for i, factor in enumerate(factors):
        spread = [factor.numbers[at] for at in factor.places(scope, cards)]
        product = spread if i == 0 else [a * b for a, b in zip(product, spread)]
    values = cards[scope[-1]]
    return Factor(scope[:-1], [sum(product[at:at + values]) for at in range(0, len(product), values)])
