"""Long calls, threads, memory, and what an import brings along."""

import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

import neurasp

LONG = "n(1..40). 0.5 : a(X) :- n(X). odd :- N = #count { X : a(X) }, N \\ 2 = 1."
SLOW_STEP = "n(1..3000). p(X,Y,Z) :- n(X), n(Y), n(Z), X+Y+Z < 0. 0.5 : a."  # one rule, no instance


def interrupted_after(seconds, call):
    """Raises Ctrl-C while the call runs; returns the seconds from there to its end."""
    raised = []

    def interrupt():
        raised.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - raised[0]
    finally:
        timer.cancel()
        timer.join()


@pytest.mark.parametrize("engine", ["enumerate", "circuit"])
def test_ctrl_c_ends_a_long_call(engine):
    program = neurasp.Program("n(1..28). 0.5 : e(X,Y) :- n(X), n(Y), X < Y. r(1). r(Y) :- r(X), e(X,Y). r(X) :- r(Y), "
                              "e(X,Y).")
    seconds = interrupted_after(0.5, lambda: program.query("r(28)", engine=engine))
    print(f"{engine} ended {seconds:.3f} s after Ctrl-C")
    assert neurasp.Program("0.3 : a.").query("a") == pytest.approx(0.3)


def test_ctrl_c_ends_a_stream():
    program = neurasp.Program("n(1..40). 0.5 : a(X) :- n(X).")
    interrupted_after(0.3, lambda: sum(1 for _ in program.models()))


def test_an_isolated_grounding_can_be_ended():
    program = neurasp.Program(SLOW_STEP, isolate=True)
    seconds = interrupted_after(1.0, lambda: program.query("a"))
    print(f"grounding ended {seconds:.3f} s after Ctrl-C")
    with pytest.raises(neurasp.LimitError, match="time limit of 0.5 s"):
        program.query("a", time_limit=0.5)


def test_an_isolated_program_answers_as_any_other(rain):
    program = neurasp.Program(rain.text, isolate=True)
    assert program.probability(observe=":- not wet.") == pytest.approx(0.15)
    with pytest.raises(neurasp.InputError, match="<observe>:1:"):
        program.probability(observe=":- not wet")
    with pytest.raises(neurasp.LimitError, match="ground"):
        neurasp.Program("n(1..100000).", isolate=True).probability(ground_limit=100)


def test_progress_is_reported():
    seen = []
    program = neurasp.Program(LONG)
    program.query("odd", engine="enumerate", time_limit=0.6, progress=lambda *report: seen.append(report))
    assert seen and all(len(report) == 6 and isinstance(report[0], str) for report in seen)


def test_what_a_progress_function_raises_ends_the_call():
    def stop(*report):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        neurasp.Program(LONG).query("odd", engine="enumerate", progress=stop)


def test_a_time_limit_is_for_the_whole_call():
    program = neurasp.Program(LONG)
    started = time.monotonic()
    answer = program.query("odd", engine="enumerate", time_limit=0.5)
    assert not answer.exact and answer.lower <= answer.upper
    assert time.monotonic() - started < 5


def test_threads_ask_and_train_at_once():
    torch = pytest.importorskip("torch")
    from networks import PAIR, adder, batch, scored_adder

    asked, trained = adder(), scored_adder()
    failures = []

    def ask():
        try:
            for number in range(150):
                answer = asked.probability(PAIR, observe=":- not sum({}).", values=[number % 5])
                assert answer.exact
        except BaseException as error:  # noqa: BLE001 - reported by the test
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    optimizer = torch.optim.SGD(trained.parameters(), lr=0.1)
    for step in range(50):
        inputs, values = batch(8, seed=step)
        loss = trained.loss(inputs, observe=":- not sum({}).", values=values)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for thread in threads:
        thread.join()
    assert not failures


def test_many_questions_do_not_grow_memory(rain):
    def ask(count):
        for number in range(count):
            rain.query("rain", observe=":- not wet." if number % 2 else ":- umbrella.")

    ask(500)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ask(int(os.environ.get("NEURASP_QUESTIONS", "4000")))
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"grew by {grown} kB")
    assert grown < 4000


def test_import_brings_neither_torch_nor_numpy():
    code = ("import sys, time; start = time.perf_counter(); import neurasp; spent = time.perf_counter() - start; "
            "neurasp.Program('0.3 : a.').query('a'); "
            "print(f'import took {1000 * spent:.1f} ms'); "
            "sys.exit(any(name in sys.modules for name in ('torch', 'numpy', 'pandas')))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr


def test_the_command_runs(tmp_path):
    program = tmp_path / "a.lp"
    program.write_text("0.25 : a.")
    done = subprocess.run([sys.executable, "-m", "neurasp", "prob", str(program), "-q", "a"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"P\(a\)\s+0.25", done.stdout)


def test_the_stub_names_what_the_module_has():
    import ast

    from neurasp import _core

    stub = ast.parse((pathlib.Path(neurasp.__file__).parent / "_core.pyi").read_text())
    names, members = set(), {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            members[node.name] = {part.name if isinstance(part, ast.FunctionDef) else part.target.id
                                  for part in node.body if isinstance(part, (ast.FunctionDef, ast.AnnAssign))}
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    assert names == {name for name in dir(_core) if not name.startswith("_")}
    for name, listed in members.items():
        there = {member for member in dir(getattr(_core, name)) if not member.startswith("_")}
        assert listed - {"__init__"} == there, name
