"""The figures, on outcomes that are known."""

from zoo.score import Share, score, score_of_check


def test_a_first_finding_that_is_right_counts(outcome):
    found = score([outcome("graph-cut", ["graph-cut"]), outcome("graph-cut", ["dead-relu", "graph-cut"])])
    assert (found.first, found.recall, found.precision) == (Share(1, 2), Share(2, 2), Share(2, 3))


def test_what_a_program_lists_as_just_as_right_is_right(outcome):
    assert score([outcome("graph-cut", ["unused-parameter"], also=["unused-parameter"])]).first == Share(1, 1)


def test_a_symptom_is_found_but_not_first(outcome):
    found = score([outcome("dead-relu", ["learning-rate-too-high"], folded=["dead-relu"])])
    assert (found.first, found.recall) == (Share(0, 1), Share(1, 1))


def test_only_healthy_programs_give_false_alarms(outcome):
    found = score([outcome(None, ["dead-relu"]), outcome(None), outcome("graph-cut", ["dead-relu"])])
    assert found.false_alarms == Share(1, 2)
    assert found.precision == Share(0, 2)


def test_the_line_counts_where_the_first_finding_is_right_and_points_at_one(outcome):
    found = score(
        [
            outcome("graph-cut", ["graph-cut"], line=7, said_line=7),
            outcome("graph-cut", ["graph-cut"], line=7, said_line=8),
            outcome("graph-cut", ["graph-cut"], line=7),
            outcome("graph-cut", ["dead-relu"], line=7, said_line=7),
        ]
    )
    assert found.line == Share(1, 2)


def test_a_check_answers_for_its_own_findings_and_its_own_faults(outcome):
    found = score_of_check(
        "dead-relu",
        [
            outcome("dead-relu", ["dead-relu"]),
            outcome("dead-relu", ["graph-cut"]),
            outcome("graph-cut", ["dead-relu"]),
            outcome(None, ["dead-relu"]),
        ],
    )
    assert (found.precision, found.recall, found.false_alarms) == (Share(1, 3), Share(1, 2), Share(1, 1))


def test_nothing_out_of_nothing_is_enough_and_has_no_value():
    assert Share(0, 0).at_least(0.9)
    assert Share(0, 0).value is None
    assert not Share(8, 10).at_least(0.9)
