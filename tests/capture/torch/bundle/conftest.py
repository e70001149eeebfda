"""Bundles of five kinds of training."""

import pytest

import stetho

from .trainings import KINDS


@pytest.fixture
def bundle_of(tmp_path):
    """The folder of the bundle that a kind of training leaves."""

    def bundle_of(kind):
        with stetho.watch(out=tmp_path / "runs", quiet=True, bundle=True) as watching:
            KINDS[kind]()
        run = stetho.open_run(watching.path)
        assert run.info["capture_error"] is None, run.info["capture_error"]
        (folder,) = watching.path.glob("bundle-step-*")
        return folder

    return bundle_of
