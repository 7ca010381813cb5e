"""Answers as people and other programs read them."""

import base64
import copy
import json
import pickle
import re

import pytest

import neurasp


def test_numbers_are_floats(rain):
    number = rain.probability(observe=":- not wet.")
    assert isinstance(number, float) and repr(number) == "0.15" and f"{number:.1f}" == "0.1"
    again = pickle.loads(pickle.dumps(number))
    assert again == number and again.log == number.log


def test_tables_print_one_line_a_row(rain):
    lines = repr(rain.marginals()).splitlines()
    assert sorted(lines) == ["-rain     0.7", "rain      0.3", "umbrella  0.15", "wet       0.15"]
    assert repr(rain.map(observe=":- not wet.")) == "0.15          rain wet"
    assert repr(rain.map(observe=":- #true.")) == "no stable model"


def test_programs_name_themselves(rain):
    assert repr(neurasp.Program("a.\nb.")) == "<Program: a. ... (2 lines)>"
    assert repr(rain.probability().how).startswith("<circuit, exact")


def test_answers_are_json(rain):
    data = json.loads(rain.marginals().to_json())
    assert dict(data["atoms"])["wet"] == pytest.approx(0.15)
    assert "how" not in data


def test_answers_are_data_frames(rain):
    pytest.importorskip("pandas")
    frame = rain.marginals().to_pandas()
    assert list(frame.columns) == ["atom", "probability"]
    assert frame.set_index("atom")["probability"]["wet"] == pytest.approx(0.15)


def test_notebooks_get_tables_with_escaped_texts():
    program = neurasp.Program('0.5 : name("<b>").')
    page = program.marginals()._repr_html_()
    assert "<table>" in page and "&lt;b&gt;" in page and "<b>" not in page


def test_notebooks_get_explanations_with_escaped_texts():
    program = neurasp.Program('0.5 : name("<b>"). known :- name(X). free :- not known.')
    why = program.explain("known")
    page = why._repr_html_()
    assert "&lt;b&gt;" in page and "<b>" not in page
    reasons, rest = page.split("</table>")
    assert "share" in reasons and "certainty" not in reasons  # every reason is certain
    assert rest.index("most probable model with it, 0.5") < rest.index("<i>why</i>") < rest.index("<i>why not</i>")
    literals = [literal for depth, literal, _ in why.why._walk() if depth == 1]
    assert literals == ['name("<b>")'] and "margin-left:1.6em" in why.why._repr_html_()
    choice = neurasp.Program("0.5 : rain. { wet } :- rain.").explain("wet")
    assert "certainty" in choice._repr_html_()


def test_a_literal_that_blocks_two_rules_stands_once_below_them():
    program = neurasp.Program("0.5 : a. 0.5 : b. 0.5 : c. q :- a, b. q :- a, c. :- a.")
    first, *below = repr(program.explain("q").why_not).splitlines()
    assert "q :- a, b." in first and "q :- a, c." in first
    assert below == ["  not a  (other outcome: -a has probability 0.5)"]


def test_programs_are_copied_and_pickled(rain):
    for again in (copy.deepcopy(rain), pickle.loads(pickle.dumps(rain))):
        assert again.probability(observe=":- not wet.") == pytest.approx(0.15)
        assert again.text == rain.text


def test_circuits(rain, valid):
    compiled = rain.compile(observe=":- rain.")
    assert compiled.log_probability() == pytest.approx(-0.35667494393873245)  # log 0.7
    assert compiled.to_nnf().startswith(("c ", "nnf "))
    assert compiled.variables == [("rain,-rain", ["rain", "-rain"])]
    assert compiled.choice_count == 1
    assert repr(compiled).startswith("<Compiled: ")
    valid(compiled, "compile")


def test_circuits_are_drawn(rain, tmp_path):
    drawing = rain.compile(observe=":- rain.").draw()
    assert drawing.dot.startswith("digraph")
    drawing.save(tmp_path / "circuit.dot")
    assert (tmp_path / "circuit.dot").read_text() == drawing.dot
    try:
        svg = drawing.to_svg()
    except neurasp.UnavailableError as error:
        assert "Graphviz" in str(error) and list(drawing._repr_mimebundle_()) == ["text/plain"]
        return
    assert svg.startswith("<svg")
    bundle = drawing._repr_mimebundle_()
    assert bundle["image/svg+xml"] == svg
    data = re.fullmatch("<img alt='drawing' src='data:image/svg[+]xml;base64,([^']*)'/>", bundle["text/html"]).group(1)
    assert base64.b64decode(data).decode() == svg


def test_no_circuit_says_why():
    program = neurasp.Program("n(1..30). 0.5 : a(X) :- n(X).")
    with pytest.raises(neurasp.NoCircuit, match="limit"):
        program.compile(observe=":- #count { X : a(X) } != 15.", node_limit=2)


def test_circuits_are_kept_in_a_folder(rain, tmp_path):
    rain.compile(observe=":- not wet.", circuit_folder=tmp_path)
    assert list(tmp_path.iterdir())
    assert neurasp.Program(rain.text).probability(observe=":- not wet.", circuit_folder=str(tmp_path)) == 0.15
