"""The tables of docs/drop-in.md, between their markers, from the results of bench/compare_original."""


def _markers(name):
    return f"<!-- {name}: made by bench/compare_original -->", f"<!-- end of {name} -->"


def check_page(page):
    """Fails if there is no page with the markers: that should not be found out after an hour."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    for name in ("scripts", "steps"):
        if not all(marker in text for marker in _markers(name)):
            raise SystemExit(f"compare_original: {page} has no markers for the table '{name}'")


def write(page, results, scripts, steps):
    """Replaces what is between the markers of the page. A table without results stays as it is."""
    text = page.read_text(encoding="utf-8")
    for name, make, order in (("scripts", script_rows, scripts), ("steps", step_rows, steps)):
        if not results[name]:
            continue
        lines = make(results[name], order)
        begin, end = _markers(name)
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
    rows = ["| script | limit | exit, original / ours | the original's result | ours | processor seconds, original / ours |",
            "|---|---|---|---|---|---|"]
    shown = [results[name] for name in order if name in results]
    for name in order:
        if name not in results:
            continue
        entry = results[name]
        theirs, ours = entry["original"], entry["ours"]
        same = {True: ", the same", False: ", another model", None: ""}[entry.get("same_models")]
        rows.append(f"| `{name}` | {entry['limit']:g} | {_exit(theirs)} / {_exit(ours)} | {_result(theirs)} | "
                    f"{_result(ours)}{same} | {theirs['processor']:g} / {ours['processor']:g} |")
    return [*rows, "", made_in(shown)]


def _three_digits(number):
    return f"{number:.3g}" if abs(number) < 999.5 else f"{float(f'{number:.3g}'):,.0f}"


def _milliseconds(seconds):
    return _three_digits(1000 * seconds)


def step_rows(results, order):
    """One row for each task: milliseconds of processor time for an example."""
    rows = ["| script | examples, distinct | bare | cached: original, ours | ours / bare: first, cached | "
            "reasoning alone, first: original, ours, ratio | reasoning alone, cached: original, ours, ratio |",
            "|---|---|---|---|---|---|---|"]
    shown = []
    for name in order:
        entry = results.get(name, {})
        theirs, ours = entry.get("original", {}), entry.get("ours", {})
        if "cached" not in ours:
            continue
        shown.append(entry)
        first = 1 + ours["reasoning_first"] / ours["bare"]
        cells = [f"`{name}`", f"{ours['examples']:,}, {ours['distinct']:,}", _milliseconds(ours["bare"]),
                 f"{_milliseconds(theirs['cached']) if 'cached' in theirs else '-'}, {_milliseconds(ours['cached'])}",
                 f"{first:.2f}, {ours['cached'] / ours['bare']:.2f}",
                 _compared(theirs, ours, "reasoning_first"), _compared(theirs, ours, "reasoning")]
        rows.append("| " + " | ".join(cells) + " |")
    return [*rows, "", f"Milliseconds of processor time for an example. {made_in(shown)}"]


def _compared(theirs, ours, time):
    if time not in theirs:
        return f"not within the limit, {_milliseconds(ours[time])}"
    return f"{_milliseconds(theirs[time])}, {_milliseconds(ours[time])}, {_three_digits(theirs[time] / ours[time])}"


def made_in(entries):
    """When the rows were made, and in how many runs."""
    runs = sorted({entry.get("run", "") for entry in entries})
    if not entries or "" in runs:
        return "It is not recorded when these rows were made."
    first, last = runs[0][:10], runs[-1][:10]
    when = f"on {first}" if first == last else f"between {first} and {last}"
    return f"Made {when} in {'one run' if len(runs) == 1 else f'{len(runs)} runs'}."
