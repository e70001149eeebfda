"""Whoever is active hears of forks; nobody else does."""

import os

from stetho.capture.forks import follow_forks


class Told:
    def __init__(self):
        self.events = []

    def before_fork(self):
        self.events.append("before")

    def after_fork_in_parent(self):
        self.events.append("parent")

    def after_fork_in_child(self):
        self.events.append("child")


def fork():
    """What the child's list of events holds, as its exit status tells."""
    child = os.fork()
    if child == 0:
        os._exit(10 * (current is not None and current.events[-1] == "child"))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


current = None


def active():
    return current


def test_the_original_and_the_copy_are_told_as_long_as_somebody_is_there():
    global current
    follow_forks(active)
    follow_forks(active)
    assert fork() == 0
    current = told = Told()
    assert fork() == 10
    assert told.events == ["before", "parent"]
    current = None
    assert fork() == 0
    assert told.events == ["before", "parent"]
