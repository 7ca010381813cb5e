"""``python -m neurasp``: the command, as far as it needs no LibTorch."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Becomes the command that was installed with the package."""
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "neurasp")
    try:
        os.execv(command, ["neurasp", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: the command cannot be started: {command}: {error.strerror}")


if __name__ == "__main__":
    main()
