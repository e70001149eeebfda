"""Tests of reading and comparing fingerprints."""

import json
from dataclasses import asdict, replace

from stetho.capture.identity import Mark, first_difference, read_fingerprint, steps_of, unseeded

ONE = Mark("step", 1, "aa", ("0000803f",), {"torch": "t1", "python": "p1", "python position": 624}, 0.1)
TWO = replace(ONE, step=2, parameters="bb")
END = replace(TWO, event="end", losses=())


def test_reads_back_what_was_written(tmp_path):
    file = tmp_path / "fingerprint"
    file.write_text("".join(json.dumps(asdict(mark)) + "\n" for mark in (ONE, TWO)))
    assert read_fingerprint(file) == [ONE, TWO]


def test_a_process_without_torch_left_no_marks(tmp_path):
    assert read_fingerprint(tmp_path / "nothing") == []


def test_equal_marks_have_no_difference_whatever_time_they_took():
    assert first_difference([ONE, TWO], [replace(ONE, seconds=9.0), TWO]) is None


def test_names_the_first_place_and_the_earliest_cause():
    other = replace(TWO, parameters="cc", losses=("0000813f",), random={"torch": "t2"})
    difference = first_difference([ONE, TWO], [ONE, other])
    assert str(difference) == "at step 2: the loss (0000803f and 0000813f)"


def test_names_parameters_and_random_states():
    assert first_difference([ONE], [replace(ONE, parameters="bb")]).what == "the parameters"
    assert first_difference([END], [replace(END, random={"torch": "t2"})]).what == "the random state of torch"
    assert first_difference([END], [replace(END, random={"torch": "t2"})]).place == "the end of the program"


def test_notices_a_process_that_ended_early():
    difference = first_difference([ONE, TWO], [ONE])
    assert (difference.place, difference.one, difference.other) == ("step 2", "2 steps", "1 steps")


def test_notices_another_order_of_events():
    backward = replace(ONE, event="backward", step=0)
    assert "order" in first_difference([backward], [ONE]).what


def test_a_generator_that_nobody_seeded_is_compared_by_position_alone():
    elsewhere = replace(ONE, random={**ONE.random, "python": "p2"})
    moved = replace(elsewhere, random={**elsewhere.random, "python position": 3})
    ignored = unseeded([ONE], [elsewhere])
    assert ignored == {"python"}
    assert first_difference([ONE], [elsewhere], ignored) is None
    assert first_difference([ONE], [moved], ignored).what == "the random state of python"


def test_a_generator_that_only_one_process_has_loaded_is_not_compared():
    assert first_difference([ONE], [replace(ONE, random={**ONE.random, "numpy": "n1"})]) is None


def test_backward_passes_count_as_steps_where_there_is_no_optimizer():
    backward = replace(ONE, event="backward", step=0)
    assert steps_of([backward, ONE, TWO, END]) == [ONE, TWO]
    assert steps_of([backward, backward, END]) == [backward, backward]
