"""The frontier: instances of families from a hundredth of a second to beyond what any known system answers, to compare the
compiler of circuits with the best of other systems.

    instance.py      what an instance is; random numbers
    graphs.py        reachability, reliability, influence, simple paths; connectivity.py: their values
    networks.py      Bayesian networks, hidden Markov models, noisy-ors; elimination.py: their values
    choices.py       sums, k of n, permutations, Sudoku, requirements
    free.py          programs whose outcomes leave free choices
    catalogue.py     all of them, by family and seed
    measure.py       runs the command on them
    scatter.py       the picture
    expected.json    values and times of other systems

The values of other systems are known for the default seeds only. So each instance also knows a way to compute its value
that has nothing to do with circuits: dynamic programming along a frontier, elimination of variables, sums over digits or
masks. The tests compare both.
"""
