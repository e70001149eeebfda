"""The background thread: it works while it is there, and is gone when it is stopped."""

import threading

from stetho.capture.background import Background


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "stetho-background"]


class Work:
    """Work that can be waited for."""

    def __init__(self):
        self.count = 0
        self._done = threading.Semaphore(0)

    def __call__(self):
        self.count += 1
        self._done.release()

    def wait(self, times=1):
        for _ in range(times):
            assert self._done.acquire(timeout=30)


def test_works_again_and_again():
    work = Work()
    background = Background(work, seconds=0.001)
    background.start()
    work.wait(3)
    background.stop()
    assert work.count >= 3


def test_nothing_is_left_after_a_stop():
    work = Work()
    background = Background(work, seconds=0.001)
    assert not background.is_running
    background.start()
    assert background.is_running
    assert len(threads()) == 1
    background.stop()
    assert not background.is_running
    assert threads() == []
    count = work.count
    background.stop()
    assert work.count == count


def test_a_stop_does_not_wait_for_the_next_time():
    background = Background(lambda: None, seconds=3600)
    background.start()
    background.stop()
    assert threads() == []


def test_goes_on_after_a_pause():
    work = Work()
    background = Background(work, seconds=0.001)
    background.start()
    background.stop()
    before = work.count
    background.start()
    work.wait(before + 1)
    background.stop()
    assert work.count > before


def test_the_work_itself_may_stop_it():
    work, stopped = Work(), threading.Event()

    def stop():
        background.stop()
        work()
        stopped.set()

    background = Background(stop, seconds=0.001)
    background.start()
    assert stopped.wait(30)
    for thread in threads():
        thread.join(30)
    assert threads() == []
    assert work.count == 1


def test_the_thread_does_not_keep_a_program_alive():
    background = Background(lambda: None)
    background.start()
    assert all(thread.daemon for thread in threads())
    background.stop()


def test_long_work_flushes_meanwhile_as_often_as_the_thread_would():
    flushed = []
    seldom, often = Background(lambda: None, seconds=60.0), Background(lambda: None, seconds=0.0)
    for background in (seldom, often):
        ask = background.meanwhile(lambda: flushed.append(background))  # noqa: B023  # asked in the same turn
        assert [ask(), ask()] == [True, True]
    assert flushed == [often, often]
    often.stop()
    assert not often.meanwhile(list)()
