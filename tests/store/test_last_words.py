"""The file that a dying process leaves in its run."""

from stetho.store.last_words import read_last_words


def test_a_run_without_the_file_has_no_last_words(tmp_path):
    assert read_last_words(tmp_path / "last-words.txt") == []


def test_a_step_alone_is_no_crash(tmp_path):
    file = tmp_path / "last-words.txt"
    file.write_text("step                   12\n")
    assert read_last_words(file) == []


def test_stacks_are_a_crash_after_that_step(tmp_path):
    file = tmp_path / "last-words.txt"
    file.write_bytes(b"step                   12\nFatal Python error: Aborted\n\nThread \xff\n")
    (crash,) = read_last_words(file)
    assert (crash["kind"], crash["step"], crash["error"]) == ("crash", 12, "Aborted")
    assert crash["raw"].startswith("Fatal Python error: Aborted")


def test_a_file_that_lost_its_beginning_is_still_read(tmp_path):
    file = tmp_path / "last-words.txt"
    file.write_text("Fatal Python error: Segmentation fault\n")
    assert read_last_words(file)[0]["step"] == 0
