"""Checks a column of a table: runs its saved network on the test examples, and judges its predictions.

An example has `numbers` (the network's input), `best` (sets of outcomes, all best answers) and `judge(outcomes)`, which
returns a verdict for each row of the table.
"""

from saved_mlp import log_probability


def check_column(network, column, test, table):
    """Returns the predictions and their verdicts."""
    all_scores = [network.scores(example.numbers) for example in test]
    predictions = [frozenset(i for i, score in enumerate(scores) if score > 0) for scores in all_scores]
    verdicts = [example.judge(outcomes) for example, outcomes in zip(test, predictions, strict=True)]
    for row in verdicts[0]:
        share = 100 * sum(verdict[row] for verdict in verdicts) / len(verdicts)
        assert abs(share - float(table[row][column])) < 0.06, f"{column}, {row}: {share} counted here"
    logs = [log_probability(scores, e.best) for scores, e in zip(all_scores, test, strict=True)]
    mean = sum(logs) / len(logs)
    said = float(table["mean log P(O)"][column])
    assert abs(mean - said) < 6e-4 + 1e-4 * abs(mean), f"{column}: mean log P(O) is {mean}"
    return predictions, verdicts
