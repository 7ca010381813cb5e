"""summary.md and index.html: the machine of a run, its pictures and its tables."""

from html import escape

from frontier.scatter import family_table
from results import lines

COLUMNS = {
    "queries": [("question", "title"), ("engine", "engine"), ("time, ms", "ms"), ("peak memory, MB", "megabytes")],
    "circuit": [("workload", "name"), ("ground, ms", "ground_ms"), ("compile, ms", "compile_ms"), ("nodes", "nodes"),
                ("edges", "edges"), ("evaluate 256, µs", "batch256_us"), ("in float, µs", "batch256_float_us"),
                ("evaluate 1, µs", "batch1_us"), ("enumerate, ms", "enumerate_ms"), ("clingo, ms", "clingo_ms")],
    "plans": [("observation", "name"), ("different ones", "plans"), ("in families", "in_families"),
              ("shared grounding", "grounded_together"), ("all, s", "seconds"), ("ms per plan", "ms_per_plan"),
              ("ms on its own", "ms_alone"), ("times faster", "times_faster"),
              ("bytes per plan", "bytes_per_plan"), ("edges, most", "largest_circuit_edges")],
    "first": [("work", "name"), ("part", "part"), ("examples", "pairs"), ("batch", "batch"),
              ("observations", "observations"), ("in families", "in_families"),
              ("shared grounding", "grounded_together"), ("first epoch, s", "first_epoch_seconds"),
              ("steady epoch, s", "rules_epoch_seconds"), ("more in the first, s per 1,000", "first_more_per_1000"),
              ("by the bare network", "ratio"), ("a command, s", "seconds")],
    "bandwidth": [("workload", "name"), ("edges", "edges"), ("256 examples: bytes each", "batch256_bytes"),
                  ("µs each", "batch256_us"), ("GB/s", "batch256_gb_s"), ("triad, GB/s", "batch256_triad_gb_s"),
                  ("share", "batch256_share"), ("one example: bytes", "batch1_bytes"), ("µs", "batch1_us"),
                  ("GB/s ", "batch1_gb_s"), ("triad, GB/s ", "batch1_triad_gb_s"), ("share ", "batch1_share"),
                  ("triad in memory, GB/s", "memory_gb_s")],
    "training": [("task", "name"), ("examples", "pairs"), ("rules, s per epoch", "rules_epoch_seconds"),
                 ("bare, s per epoch", "bare_epoch_seconds"), ("ratio", "ratio"), ("rules' share", "symbolic_share"),
                 ("compile, s", "compile_seconds")],
    "python": [("work", "name"), ("edges", "edges"), ("ours, ms", "ours_ms"), ("the other, ms", "other_ms"),
               ("ratio", "ratio"), ("overhead, µs", "overhead_us"), ("ratio, forward", "forward_ratio"),
               ("making the module, ms", "made_ms")],
    "frontier": [("instance", "name"), ("seconds", "seconds"), ("nodes", "nodes"), ("edges", "edges"),
                 ("decisions", "decisions"), ("MB", "megabytes"), ("best other", "peer"), ("its seconds", "peer_seconds"),
                 ("checked by", "checked_by"), ("", "detail")],
}
COLUMNS["growth"] = COLUMNS["circuit"]
AGAINST_CLINGO = [("work", "name"), ("ours, ms", "ours_ms"), ("clingo, ms", "clingo_ms"),
                  ("clingo by ours", "clingo_by_ours"), ("", "detail")]


def cell(value):
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def tables(results):
    """Name, question, head and rows of each benchmark."""
    for benchmark in results["benchmarks"]:
        columns = COLUMNS.get(benchmark["name"], AGAINST_CLINGO)
        rows = [[cell(line.get(field)) for _, field in columns] for line in lines(results, benchmark["name"])]
        yield benchmark["name"], benchmark["question"], [title for title, _ in columns], rows


def setting(results):
    machine, versions = results["machine"], results["versions"]
    state = "" if results["finished"] else " (incomplete: interrupted)"
    changed = " with changes" if versions.get("changed") else ""
    return [
        f"Started {results['started']}, {results['seconds'] / 60:.1f} minutes{state}"
        + (", quick mode" if results["quick"] else ""),
        f"{machine.get('processor')}, {machine.get('cores')} cores, {machine.get('memory_gb')} GB, {machine.get('system')}; "
        f"load {machine.get('load')} before, {machine.get('load_after')} after (the benchmarks alone: 1)",
        f"Commit {(versions.get('commit') or 'unknown')[:12]}{changed}, {versions.get('build_type')}, "
        f"{versions.get('compiler')}, {versions.get('clingo')}, {versions.get('torch')}",
    ]


def wrong_lines(results):
    return [f"WRONG: {benchmark['name']}: {line['name']}: {line.get('detail', '')}"
            for benchmark in results["benchmarks"] for line in benchmark["lines"] if not line["correct"]]


def markdown(results, pictures):
    text = ["# Benchmarks", ""] + [f"- {line}" for line in setting(results) + wrong_lines(results)] + [""]
    text += [f"![{name}]({name}.svg)\n" for name in pictures]
    head, rows = family_table(lines(results, "frontier"))
    if rows:
        text += ["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]] + [""]
    for name, question, head, rows in tables(results):
        text += [f"## {name}", "", question, "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        text += ["| " + " | ".join(row) + " |" for row in rows] + [""]
    return "\n".join(text)


PAGE_STYLE = """:root{color-scheme:light dark} body{font:15px/1.5 system-ui,sans-serif;max-width:1180px;margin:2em auto;
padding:0 1em} img{max-width:100%} table{border-collapse:collapse;font-size:13px} td,th{padding:2px 10px;text-align:right;
border-bottom:1px solid #8884} td:first-child,th:first-child{text-align:left} .wrong{color:#d1242f;font-weight:600}"""


def page(results, pictures):
    parts = [f"<!doctype html><html lang=en><meta charset=utf-8><title>Benchmarks</title><style>{PAGE_STYLE}</style>"
             "<h1>Benchmarks</h1>"]
    parts += [f"<p>{escape(line)}</p>" for line in setting(results)]
    parts += [f"<p class=wrong>{escape(line)}</p>" for line in wrong_lines(results)]
    parts += [f'<p><img src="{name}.svg" alt="{name}"></p>' for name in pictures]
    for name, question, head, rows in tables(results):
        parts.append(f"<h2>{escape(name)}</h2><p>{escape(question)}</p><table><tr>")
        parts += [f"<th>{escape(title)}</th>" for title in head]
        for row in rows:
            parts.append("</tr><tr>" + "".join(f"<td>{escape(text)}</td>" for text in row))
        parts.append("</tr></table>")
    return "\n".join(parts) + "\n"


def write_summary(results, folder, pictures):
    (folder / "summary.md").write_text(markdown(results, pictures))
    (folder / "index.html").write_text(page(results, pictures))
