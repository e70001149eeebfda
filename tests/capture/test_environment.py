"""Facts about machine, versions and command; a missing one is missing, nothing more."""

import json
import os
import subprocess
import sys
from importlib import metadata

import psutil
import pytest
import torch

from stetho.capture import environment
from stetho.capture.environment import changed, program_name, rank, run_info, shared_start, surroundings
from stetho.config import make_options


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(*arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", *identity, *arguments], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["train.py", "--lr", "1"], "train"),
        (["/some/where/my.model.py"], "my.model"),
        (["-m", "package.train", "x"], "package.train"),
        (["-m"], "-m"),
        ([], "python"),
        (["-c"], "-c"),
        ([""], "python"),
    ],
)
def test_a_run_is_named_after_its_program(command, name):
    assert program_name(command) == name


def test_a_single_process_has_no_rank(monkeypatch):
    assert rank() is None
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "1")
    assert rank() is None
    assert shared_start() is None


@pytest.mark.parametrize(("given", "world"), [("x", "2"), ("0", "two"), ("", "2"), ("-1", "2")])
def test_a_rank_that_is_no_number_is_none(monkeypatch, given, world):
    monkeypatch.setenv("RANK", given)
    monkeypatch.setenv("WORLD_SIZE", world)
    assert rank() is None


def test_ranks_of_one_launcher_agree_on_the_time_and_know_their_place(monkeypatch):
    monkeypatch.setenv("RANK", "3")
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert rank() == 3
    assert shared_start() == psutil.Process(os.getppid()).create_time()
    info = run_info(["train.py"], make_options())
    assert (info["rank"], info["world_size"]) == (3, 4)


def test_everything_about_the_run_can_be_written_as_json(folder):
    info = run_info(["train.py", "--lr", "1"], make_options(budget="2%", layers="a,b"))
    read = json.loads(json.dumps(info))
    assert (read["name"], read["command"], read["cwd"]) == ("train", ["train.py", "--lr", "1"], str(folder))
    assert (read["pid"], read["rank"], read["world_size"]) == (os.getpid(), 0, 1)
    assert (read["options"]["budget"], read["options"]["layers"]) == (0.02, ["a", "b"])
    assert read["versions"]["torch"] == metadata.version("torch")
    assert read["python"] == sys.version.split()[0]
    assert read["machine"]["cores"] == os.cpu_count()
    assert read["machine"]["memory"] == psutil.virtual_memory().total


def test_the_name_can_be_chosen():
    assert run_info(["train.py"], make_options(name="other"))["name"] == "other"


def test_outside_of_a_repository_there_is_no_commit(folder, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    assert run_info([], make_options())["git"] is None


def test_the_commit_and_whether_it_was_changed(folder):
    git("init", "-q")
    (folder / "train.py").write_text("1")
    git("add", ".")
    git("commit", "-qm", "first")
    commit = git("rev-parse", "HEAD")
    assert run_info([], make_options())["git"] == {"commit": commit, "dirty": False}
    (folder / "new.txt").write_text("an unknown file changes no program")
    assert run_info([], make_options())["git"]["dirty"] is False
    (folder / "train.py").write_text("2")
    assert run_info([], make_options())["git"] == {"commit": commit, "dirty": True}


def test_without_git_there_is_no_commit(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    assert run_info([], make_options())["git"] is None


def test_a_git_that_hangs_is_left_alone(monkeypatch):
    def hang(*_, **options):
        raise subprocess.TimeoutExpired("git", options["timeout"])

    monkeypatch.setattr(subprocess, "run", hang)
    assert run_info([], make_options())["git"] is None


def test_packages_that_are_not_installed_are_not_listed(monkeypatch):
    monkeypatch.setattr(environment, "PACKAGES", ("torch", "no-such-package"))
    assert list(run_info([], make_options())["versions"]) == ["torch"]


def test_a_device_that_the_program_has_not_touched_is_not_asked():
    run_info([], make_options())
    assert not torch.cuda.is_initialized()


def test_what_is_not_as_it_was_is_named_and_what_is_unknown_is_not():
    now = surroundings()
    assert changed(now, now) == []
    assert changed({}, now) == []
    assert changed({"machine": {"threads": 77, "host": "other"}}, now) == [
        f"threads 77, here {torch.get_num_threads()}"
    ]
