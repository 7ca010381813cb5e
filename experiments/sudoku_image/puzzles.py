"""Sudoku puzzles with exactly one solution, also of variants.

A board is a list of 81 bit sets: the digits that each cell can still hold.
"""

ALL_DIGITS = 0b111111111


def units_of(variant):
    """The sets of nine cells in which no digit may occur twice."""
    units = [[9 * r + c for c in range(9)] for r in range(9)]
    units += [[9 * r + c for r in range(9)] for c in range(9)]
    units += [[9 * (b // 3 * 3 + i // 3) + b % 3 * 3 + i % 3 for i in range(9)] for b in range(9)]
    if variant == "x":
        units += [[10 * i for i in range(9)], [8 * i + 8 for i in range(9)]]
    if variant == "offset":
        units += [[27 * (i // 3) + 3 * (i % 3) + 9 * (p // 3) + p % 3 for i in range(9)] for p in range(9)]
    return units


def peers_of(variant):
    """For each cell, the cells that cannot hold the same digit."""
    peers = [set() for _ in range(81)]
    for unit in units_of(variant):
        for cell in unit:
            peers[cell].update(unit)
    if variant == "antiknight":
        for a in range(81):
            peers[a].update(
                b for b in range(81) if {abs(a // 9 - b // 9), abs(a % 9 - b % 9)} == {1, 2}
            )
    return [sorted(others - {cell}) for cell, others in enumerate(peers)]


class Rules:
    """The rules of a variant: which cells cannot hold the same digit."""

    def __init__(self, variant):
        self.peers = peers_of(variant)

    def put(self, board, cell, digit):
        """Puts a digit (a bit) into a cell and draws all conclusions; False if that is impossible."""
        todo = [(cell, digit)]
        board[cell] = digit
        while todo:
            cell, digit = todo.pop()
            for other in self.peers[cell]:
                if board[other] & digit:
                    board[other] &= ~digit
                    left = board[other]
                    if left == 0:
                        return False
                    if left & (left - 1) == 0:
                        todo.append((other, left))
        return True

    def solve(self, board, source, limit):
        """A solution, or None; raises TimeoutError after `limit` guesses."""
        guesses = [0]

        def go_on(board):
            open_cells = [cell for cell in range(81) if board[cell] & (board[cell] - 1)]
            if not open_cells:
                return board
            guesses[0] += 1
            if guesses[0] > limit:
                raise TimeoutError
            cell = min(open_cells, key=lambda cell: bin(board[cell]).count("1"))
            digits = [1 << d for d in range(9) if board[cell] >> d & 1]
            source.shuffle(digits)
            for digit in digits:
                attempt = board[:]
                if self.put(attempt, cell, digit):
                    found = go_on(attempt)
                    if found:
                        return found
            return None

        return go_on(board)

    def board_of(self, puzzle):
        """The digits that the givens leave for each cell, or None if the givens contradict each other."""
        board = [ALL_DIGITS] * 81
        for cell, digit in enumerate(puzzle):
            if digit:
                bit = 1 << (digit - 1)
                if not board[cell] & bit or (board[cell] != bit and not self.put(board, cell, bit)):
                    return None
        return board


def filled_board(rules, source):
    while True:
        try:
            board = rules.solve([ALL_DIGITS] * 81, source, 200)
            return [digits.bit_length() for digits in board]
        except TimeoutError:
            pass  # an unlucky start: try again


def needed(rules, puzzle, cells, solution, source):
    """Whether the puzzle has a second solution if these cells become empty."""
    without = [0 if cell in cells else digit for cell, digit in enumerate(puzzle)]
    rest = rules.board_of(without)
    for cell in cells:
        for digit in range(1, 10):
            if digit == solution[cell] or not rest[cell] >> (digit - 1) & 1:
                continue
            attempt = rest[:]
            if rules.put(attempt, cell, 1 << (digit - 1)) and rules.solve(attempt, source, 10000):
                return True
    return False


def new_puzzle(rules, source, givens=30):
    """A puzzle with 30 or 31 symmetrically placed givens, like those of the OpenSky generator."""
    while True:
        solution = filled_board(rules, source)
        puzzle = solution[:]
        pairs = [{cell, 80 - cell} for cell in range(41)]
        source.shuffle(pairs)
        for pair in pairs:
            if sum(map(bool, puzzle)) - len(pair) < givens:
                continue
            if not needed(rules, puzzle, pair, solution, source):
                for cell in pair:
                    puzzle[cell] = 0
        if sum(map(bool, puzzle)) <= givens + 1:
            return puzzle, solution
