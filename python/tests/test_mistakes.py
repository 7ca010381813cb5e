"""Each mistake is a clear error that names what is wrong."""

import pickle

import pytest

import neurasp


def test_a_mistake_in_a_program_shows_its_place(tmp_path):
    with pytest.raises(neurasp.InputError) as caught:
        neurasp.Program("a.\n0.3 : b | 0.9 : c.", name="rules.lp")
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, neurasp.Error)
    text = str(error)
    assert text.splitlines()[0].startswith("rules.lp:2:")
    assert "^" in text and "0.3 : b" in text
    assert error.diagnostics[0]["line"] == 2 and error.code == error.diagnostics[0]["code"] != ""
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == text and again.diagnostics == error.diagnostics


def test_files_are_named_in_errors(tmp_path):
    path = tmp_path / "broken.lp"
    path.write_text("a :- b")
    with pytest.raises(neurasp.InputError, match="broken.lp:1:"):
        neurasp.Program.from_file(path).probability()
    with pytest.raises(FileNotFoundError):
        neurasp.Program.from_file(tmp_path / "nowhere.lp")


def test_a_mistake_in_an_observation_or_a_query(rain):
    with pytest.raises(neurasp.InputError, match="<observe>:1:"):
        rain.probability(observe=":- not wet")
    with pytest.raises(neurasp.InputError):
        rain.query("wet,")
    with pytest.raises(neurasp.InputError, match="value"):
        rain.probability(observe=":- not a({},{}).", values=[1])


@pytest.fixture
def addition(examples):
    return neurasp.Program.from_file(examples / "addition.lp")


@pytest.mark.parametrize("outputs, said", [
    (None, "digit"),
    ({"digit": {"i1": [0.1, 0.7, 0.2]}}, "i2"),
    ({"digit": {"i1": [0.1, 0.7, 0.2], "i2": [0.5, 0.5]}}, "i2"),
    ({"digit": {"i1": [0.1, 0.7, 0.2], "i2": [0.5, 0.5, 0.5]}}, "sum"),
    ({"digit": {"i1": [0.1, 0.7, 0.2], "i2": [float("nan"), 0.5, 0.5]}}, "i2"),
    ({"digits": {"i1": [0.1, 0.7, 0.2], "i2": [0.3, 0.3, 0.4]}}, "digit"),
])
def test_wrong_outputs(addition, outputs, said):
    with pytest.raises(neurasp.InputError, match=said):
        addition.probability(outputs=outputs)


@pytest.mark.parametrize("outputs, said", [
    ({"digit": {"i1": ["0.1", 0.7, 0.2], "i2": [0.3, 0.3, 0.4]}}, "'digit' for 'i1' must be numbers, found '0.1'"),
    ({"digit": [[0.1, 0.7, 0.2]]}, "dictionary from terms"),
    ([0.1, 0.7, 0.2], "outputs is a dictionary"),
])
def test_outputs_that_are_not_numbers(addition, outputs, said):
    with pytest.raises(neurasp.UsageError, match=said):
        addition.probability(outputs=outputs)


@pytest.mark.parametrize("arguments, said", [
    ({"engin": "circuit"}, "no argument 'engin'; did you mean 'engine'"),
    ({"engine": "steam"}, "no engine 'steam'"),
    ({"time_limit": "10"}, "time_limit is a number"),
    ({"time_limit": -1}, "time_limit is a number that is not negative"),
    ({"model_limit": 1.5}, "model_limit is a whole number"),
    ({"samples": "many"}, "samples is a whole number"),
    ({"progress": 3}, "progress is a function"),
    ({"values": 1}, "give observe= as well"),
    ({"observe": [":- a.", 3]}, "an observation is a text, not 3"),
    ({"observe": ":- not a({}).", "values": 0.5}, "programs have integers only"),
    ({"observe": ":- not a({}).", "values": True}, "True and False"),
])
def test_wrong_arguments(rain, arguments, said):
    with pytest.raises(neurasp.UsageError, match=said):
        rain.probability(**arguments)


def test_wrong_calls(rain):
    with pytest.raises(neurasp.UsageError, match="not 3"):
        rain.query(3)
    with pytest.raises(neurasp.UsageError, match="k is a whole number from 1"):
        rain.map(k=0)
    with pytest.raises(neurasp.UsageError, match="count is a whole number"):
        rain.sample("two")
    with pytest.raises(neurasp.UsageError, match="convention"):
        rain.gradient(convention="steep")
    with pytest.raises(neurasp.UsageError, match="from_file"):
        neurasp.Program(3)
    with pytest.raises(neurasp.UsageError, match="2 texts, but 1 name"):
        neurasp.Program(["a.", "b."], name="one")


def test_a_grounding_that_is_too_large():
    with pytest.raises(neurasp.LimitError, match="ground"):
        neurasp.Program("n(1..100000).").probability(ground_limit=100)


def test_warnings_are_python_warnings(rain):
    program = neurasp.Program("0.5 : a.")
    with pytest.warns(neurasp.ProgramWarning, match="b"):
        program.query("b")
