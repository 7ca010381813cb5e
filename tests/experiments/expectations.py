"""Collects all mistakes that a check finds, not only the first."""

mistakes = []


def expect(holds, message):
    if not holds:
        mistakes.append(message)


def close(found, expected, tolerance=1e-9):
    return found is not None and abs(found - expected) <= tolerance
