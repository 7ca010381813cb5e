"""What the tests share: where the repository is, and small programs and networks."""

import json
import pathlib
import signal

import jsonschema
import pytest

import neurasp

ROOT = pathlib.Path(__file__).resolve().parents[2]

ADDITION = """
    img(a; b).
    nn(digit(1,X), [0,1,2]) :- img(X).
    sum(X+Y) :- digit(0,a,X), digit(0,b,Y)."""


@pytest.fixture(autouse=True)
def ctrl_c_is_heard():
    """A shell without job control starts what runs in the background with SIGINT ignored; Python then leaves it so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def examples():
    return ROOT / "examples"


@pytest.fixture
def rain():
    return neurasp.Program("0.3 : rain. { umbrella } :- rain. wet :- rain, not umbrella.")


@pytest.fixture
def outputs_of(examples):
    """The outputs in a file beside an example."""
    return lambda name: json.loads((examples / name).read_text())


@pytest.fixture
def valid():
    """Checks an answer against the schema of the command that gives the same."""

    def check(answer, schema):
        document = answer if isinstance(answer, dict) else answer.to_dict()
        jsonschema.validate(document, json.loads((ROOT / "docs" / "schema" / f"{schema}.json").read_text()))

    return check
