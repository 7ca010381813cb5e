"""The machine and the software of a run."""

import os
import re
import subprocess
from pathlib import Path


def first_line(command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return (result.stdout.splitlines() or [None])[0]


def found(pattern, path):
    try:
        match = re.search(pattern, Path(path).read_text(errors="replace"), re.MULTILINE)
    except OSError:
        return None
    return match.group(1).strip() if match else None


def describe_machine():
    kilobytes = found(r"^MemTotal:\s*(\d+)", "/proc/meminfo")
    return {
        "processor": found(r"^model name\s*:(.*)$", "/proc/cpuinfo"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(int(kilobytes) / 2**20, 1) if kilobytes else None,
        "system": found(r'^PRETTY_NAME="?([^"\n]*)', "/etc/os-release"),
        "load": load(),
    }


def load():
    """Running processes over the last minute; if it is well above 1, others were busy too."""
    return round(os.getloadavg()[0], 2)


def describe_versions(root, build):
    cache = build / "CMakeCache.txt"
    compiler = found(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache)
    changed = first_line(["git", "-C", root, "status", "--porcelain", "--untracked-files=no"])
    return {
        "commit": first_line(["git", "-C", root, "rev-parse", "HEAD"]),
        "changed": bool(changed),
        "neurasp": first_line([build / "bin/neurasp", "--version"]),
        "compiler": first_line([compiler or "c++", "--version"]),
        "build_type": found(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache),
        "clingo": first_line(["clingo", "--version"]),
        "torch": first_line(["dpkg-query", "-W", "-f", "libtorch-dev ${Version}", "libtorch-dev"]),
    }
