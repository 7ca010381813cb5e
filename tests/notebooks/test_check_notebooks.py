"""The checker of notebooks notices what is wrong, and nothing else."""

import base64
import copy
import importlib.machinery
import importlib.util
import io
import pathlib
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

PATH = pathlib.Path(__file__).with_name("check_notebooks")
LOADER = importlib.machinery.SourceFileLoader("check_notebooks", str(PATH))
checker = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_notebooks", LOADER))
LOADER.exec_module(checker)

CELLS = ["x = 0.25\nprint('x is', x)", "x * 3",
         "import matplotlib.pyplot as plt\nplt.figure(figsize=(2, 1))\nplt.plot([1, 2])\nplt.show()"]


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A notebook with its outputs, as scripts/notebooks stores it."""
    path = tmp_path_factory.mktemp("good") / "good.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Good"), *map(new_code_cell, CELLS)]), path)
    assert checker.store(path) == []
    return nbformat.read(path, as_version=4)


def checked(notebook, folder):
    path = folder / "notebook.ipynb"
    nbformat.write(notebook, path)
    return checker.check(path)


def test_a_good_notebook_passes_and_is_stored_the_same_again(good, tmp_path):
    assert checked(good, tmp_path) == []
    path = tmp_path / "notebook.ipynb"
    before = path.read_text()
    assert checker.store(path) == []
    again = nbformat.reads(path.read_text(), as_version=4)
    assert [cell.outputs for cell in checker.code_cells(again)][:2] == \
        [cell.outputs for cell in checker.code_cells(nbformat.reads(before, as_version=4))][:2]


def test_wrong_outputs_are_noticed(good, tmp_path):
    wrong = copy.deepcopy(good)
    cells = checker.code_cells(wrong)
    cells[0].outputs[0].text = "x is 0.26\n"
    cells[1].outputs[0].data["text/plain"] = "'0.75'"
    del cells[2].outputs[0]
    mistakes = checked(wrong, tmp_path)
    assert len(mistakes) == 3
    assert "0.26 is stored, 0.25 was found" in mistakes[0]
    assert "code cell 2 (x * 3)" in mistakes[1]
    assert "outputs [] are stored" in mistakes[2] and "image/png" in mistakes[2]


def test_a_failing_cell_is_noticed(good, tmp_path):
    wrong = copy.deepcopy(good)
    checker.code_cells(wrong)[1].source = "1 / 0"
    mistakes = checked(wrong, tmp_path)
    assert len(mistakes) == 1 and "a cell failed" in mistakes[0] and "ZeroDivisionError" in mistakes[0]


@pytest.mark.parametrize("stored, found, tolerance, same", [
    ("a 0.5 b", "a 0.5000001 b", 1e-6, True),
    ("a 0.5 b", "a 0.51 b", 1e-6, False),
    ("a 0.5 b", "a 0.51 b", 0.05, True),
    ("90 of 100", "93 of 100", 0.05, True),
    ("90 of 100", "80 of 100", 0.05, False),
    ("1e-3", "0.001", 1e-6, True),
    ("a   b\nc", "a b c", 1e-6, True),
    ("a b", "a c", 0.5, False),
    ("1 2", "1 2 3", 0.5, False),
    ("digit(0,i1,3)", "digit(0,i2,3)", 1.0, False),
    ("nan 1", "nan 1", 1e-6, True),
    ("1", "nan", 1.0, False),
])
def test_texts_are_compared(stored, found, tolerance, same):
    assert (checker.difference(stored, found, tolerance) is None) == same


def png(size, colour=None):
    image = Image.new("RGB", size, colour or "white")
    if colour is None:
        image.putpixel((0, 0), (0, 0, 0))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def test_pictures_are_compared():
    assert checker.picture_mistake(png((100, 50)), png((104, 51))) is None
    assert "pixels is stored" in checker.picture_mistake(png((100, 50)), png((150, 50)))
    assert "blank" in checker.picture_mistake(png((100, 50)), png((100, 50), "red"))
    assert "not a picture" in checker.picture_mistake(png((100, 50)), base64.b64encode(b"text").decode())


def test_only_visible_text_of_html_counts():
    before = "<td style='width:7px'>0.5</td><!-- 7 --><style>p { margin: 1px }</style>"
    assert checker.visible("text/html", before) == "0.5"
    assert checker.visible("text/html", "a &lt; b") == "a < b"


def test_tags(good):
    cell, other = (copy.deepcopy(checker.code_cells(good)[0]) for _ in range(2))
    other.outputs[0].text = "x is 0.26\n"
    assert checker.cell_mistake(cell, other)
    cell.metadata["tags"] = ["tolerance-0.05"]
    assert checker.cell_mistake(cell, other) is None
    other.outputs[0].text = "y is 0.25\n"
    assert checker.cell_mistake(cell, other)
    cell.metadata["tags"] = ["not-compared"]
    assert checker.cell_mistake(cell, other) is None
    other.outputs = []
    assert checker.cell_mistake(cell, other)


def test_what_is_stored_must_fit(good):
    assert list(checker.stored_mistakes(good, 1000)) == []
    assert "bytes" in next(checker.stored_mistakes(good, 10**7))
    wrong = copy.deepcopy(good)
    cells = checker.code_cells(wrong)
    cells[0].execution_count = None
    cells[1].outputs = [new_output("stream", text="written to /tmp/abc/x.pt\n")]
    cells[2].outputs = [new_output("error", ename="ValueError", evalue="no", traceback=[])]
    said = list(checker.stored_mistakes(wrong, 1000))
    assert ["not executed" in said[0], "/tmp/abc" in said[1], "ValueError" in said[2]] == [True] * 3


def test_links_must_lead_somewhere(tmp_path):
    (tmp_path / "there.md").write_text("")
    text = "[a](there.md#part) [b](https://example.org/x) [c](missing.ipynb)"
    notebook = new_notebook(cells=[new_markdown_cell(text), new_code_cell("x[0](missing)")])
    assert list(checker.link_mistakes(notebook, tmp_path)) == ["a link leads nowhere: missing.ipynb"]


def test_every_notebook_is_in_the_tables():
    names = sorted(path.name for path in checker.FOLDER.glob("*.ipynb"))
    for page in (checker.FOLDER / "README.md", checker.ROOT / "docs" / "python.md"):
        linked = re.findall(r"\]\((?:[./a-z]*/)?([^/)]*\.ipynb)\)", page.read_text())
        assert linked == names, page
