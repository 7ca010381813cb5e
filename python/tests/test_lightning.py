"""The example with PyTorch Lightning, where that is installed (Debian 12 does not have it)."""

import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("lightning")


def test_the_example_learns(examples, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(examples / "python"), *sys.path])
    import with_lightning

    assert with_lightning.main(epochs=2, folder=str(tmp_path)) > 0.5
