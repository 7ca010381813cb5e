"""The examples in docstrings are right."""

import doctest
import importlib
import pkgutil

import pytest

import neurasp

MODULES = sorted(module.name[len("neurasp."):] for module in pkgutil.walk_packages(neurasp.__path__, "neurasp.")
                 if not module.name.startswith("neurasp.__"))


@pytest.mark.parametrize("name", [name for name in MODULES if name != "_core"])
def test_examples(name):
    try:
        module = importlib.import_module(f"neurasp.{name}")
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "numpy"):
            raise
        pytest.skip(f"needs {error.name}")
    failed, _ = doctest.testmod(module, extraglobs={"neurasp": neurasp})
    assert failed == 0
