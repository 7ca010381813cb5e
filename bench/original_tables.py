"""The tables of docs/drop-in.md, between their markers, from the results of bench/compare_original."""

import datetime


def write(page, results, scripts, steps):
    """Replaces what is between the markers of the page."""
    text = page.read_text(encoding="utf-8")
    for name, lines in (("scripts", script_rows(results["scripts"], scripts)),
                        ("steps", step_rows(results["steps"], steps))):
        begin, end = f"<!-- {name}: made by bench/compare_original -->", f"<!-- end of {name} -->"
        if begin not in text or end not in text:
            raise SystemExit(f"{page} has no markers for the table '{name}'")
        head, _, rest = text.partition(begin)
        text = head + begin + "\n" + "\n".join(lines) + "\n" + end + rest.partition(end)[2]
    page.write_text(text, encoding="utf-8")


def _exit(entry):
    return "stopped" if entry["exit"] is None else str(entry["exit"])


def _result(entry):
    if entry["exit"] not in (0, None):
        return entry["error"].replace("|", "\\|")[:80]
    if entry["exit"] is None:
        progress = entry["progress"]
        place = f"{progress['last']} of {progress['of']} in pass {progress['passes'] + (progress['last'] < progress['of'])}"
        return "; ".join(part for part in (entry["result"], place if progress["of"] else "") if part) or "none yet"
    return entry["result"] or "ran"


def script_rows(results, order):
    """One row for each script."""
    rows = ["| script | exit, original / ours | the original's result | ours | seconds, original / ours | processor seconds |",
            "|---|---|---|---|---|---|"]
    for name in order:
        if name not in results:
            continue
        entry = results[name]
        theirs, ours = entry["original"], entry["ours"]
        same = {True: ", the same", False: ", another model", None: ""}[entry.get("same_models")]
        rows.append(f"| `{name}` | {_exit(theirs)} / {_exit(ours)} | {_result(theirs)} | {_result(ours)}{same} | "
                    f"{theirs['seconds']:g} / {ours['seconds']:g} | {theirs['processor']:g} / {ours['processor']:g} |")
    return rows


def _milliseconds(seconds):
    return f"{1000 * seconds:.3g}"


def _ratio(theirs, ours):
    # What is left for reasoning may be less than the noise of the clock.
    return f"{theirs / ours:.3g}" if ours > 0.00001 else "more than 1,000" if theirs > 0.01 else "-"


def step_rows(results, order):
    """One row for each task: milliseconds of processor time for an example."""
    rows = ["| script | examples, distinct | bare | original: first, cached | ours: first, cached | reasoning alone, "
            "how many times faster: first, cached | ours / bare |", "|---|---|---|---|---|---|---|"]
    for name in order:
        entry = results.get(name, {})
        theirs, ours = entry.get("original", {}), entry.get("ours", {})
        if "first" not in ours:
            continue
        bare = ours["bare"]
        sizes = f"{ours['examples']}, {ours['distinct']}"
        mine = f"{_milliseconds(ours['first'])}, {_milliseconds(ours['cached'])}"
        if "first" in theirs:
            other = f"{_milliseconds(theirs['first'])}, {_milliseconds(theirs['cached'])}"
            faster = ", ".join(_ratio(theirs[key] - theirs["bare"], ours[key] - bare) for key in ("first", "cached"))
        else:
            other, faster = "not within the time limit", "-"
        rows.append(f"| `{name}` | {sizes} | {_milliseconds(bare)} | {other} | {mine} | {faster} | "
                    f"{ours['cached'] / bare:.2f} |")
    rows.append("")
    rows.append(f"Measured on {datetime.date.today().isoformat()}; milliseconds of processor time for an example.")
    return rows
