"""The examples of docs/python.md, of docs/coming-from.md and of the README's section "From Python" are right."""

import doctest
import re
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

pytest.importorskip("torch")  # half of the page trains networks

BLOCK = re.compile(r"^```python norun: python/tests/test_page\.py runs it\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FLAGS = doctest.ELLIPSIS


def examples_of(page):
    """The examples of a page's blocks, in order, each with its line in the page."""
    text = page.read_text()
    for block in BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1))
        for example in doctest.DocTestParser().get_examples(block.group(1)):
            example.lineno += first
            yield example


def run(page, folder, monkeypatch):
    """Runs a page in an empty folder with a copy of examples/; returns the number of its examples and of failures."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder / "examples" / "python"))
    found = list(examples_of(page))
    said = []
    test = doctest.DocTest(found, {}, page.name, str(page), 0, page.read_text())
    failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    print("".join(said))
    return len(found), failed


def test_the_ten_lines_of_the_readme():
    import torch

    import neurasp

    text = (ROOT / "README.md").read_text()
    lines = re.search(r"^```python norun: \S+ runs it with a small net\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    pictures = torch.rand((8, 6), generator=torch.Generator().manual_seed(1))
    net = torch.nn.Sequential(torch.nn.Linear(6, 10), torch.nn.Softmax(1))
    before = net[0].weight.detach().clone()
    names = {"net": net, "loader": [(pictures[:4], pictures[4:], torch.tensor([0, 7, 12, 18]))]}
    exec(compile(lines.group(1), "README.md", "exec"), names)
    assert not torch.equal(net[0].weight, before)
    sums = names["program"].query("sum(N)", {"a": pictures[:4], "b": pictures[4:]})
    assert sums.instances == [f"sum({n})" for n in range(19)]
    assert sums.sum(1).tolist() == pytest.approx([1.0] * 4)
    assert isinstance(names["program"], neurasp.NeuralProgram)


@pytest.mark.parametrize("name, least", [("docs/python.md", 80), ("docs/coming-from.md", 7), ("README.md", 3)])
def test_every_block_of_the_page(name, least, tmp_path, monkeypatch):
    found, failed = run(ROOT / name, tmp_path, monkeypatch)
    assert found >= least and failed == 0


def test_a_wrong_number_is_noticed(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("```python norun: python/tests/test_page.py runs it\n>>> 1 + 1\n3\n```\n")
    assert run(page, tmp_path, monkeypatch) == (1, 1)


def test_the_api_page_is_up_to_date():
    script = ROOT / "docs" / "make_python_api"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
