"""Adds an entry to the report of scripts/wheel: wheel_report.py FILE LIST KEY=VALUE..."""

import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1])
report = json.loads(path.read_text()) if path.exists() else {}
entry = dict(word.split("=", 1) for word in sys.argv[3:])
report.setdefault(sys.argv[2], []).append(
    {key: int(value) if value.isdigit() else value for key, value in entry.items()})
path.write_text(json.dumps(report, indent=2) + "\n")
