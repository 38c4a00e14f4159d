"""python -m phebandits: the command line, the program `phe`."""

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program, with the arguments of this one."""
    program = Path(__file__).parent / "bin" / "phe"
    if not program.exists():
        sys.exit(f"phebandits: the program {program} is missing; install the package anew")
    os.execv(program, ["phe", *sys.argv[1:]])


if __name__ == "__main__":
    main()
