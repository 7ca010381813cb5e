"""Reads the results of an experiment's `run`: its table, and lists of row numbers."""


def read_table(path, columns):
    """For each row of a Markdown table, the text in each of its columns."""
    lines = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in path.read_text().splitlines()
    ]
    assert lines[0][1:] == columns, f"{path} has the columns {lines[0][1:]}"
    return {line[0]: dict(zip(columns, line[1:], strict=True)) for line in lines[2:]}


def read_numbers(path):
    return [int(word) for word in path.read_text().split()]
