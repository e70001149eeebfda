"""Lines that may bring a copy of a model up to date."""

import pytest

from stetho.capture.text.renewed import renewed_at


@pytest.fixture
def lines(tmp_path):
    def read(program):
        file = tmp_path / f"{abs(hash(program))}.py"
        file.write_text(program)
        return [int(line.rpartition(":")[2]) for line in renewed_at(str(file))]

    return read


@pytest.mark.parametrize(
    "statement",
    [
        "target.load_state_dict(net.state_dict())",
        "p.data.copy_(q.data)",
        "p.lerp_(q, 0.01)",
        "p.data = tau * q.data + (1 - tau) * p.data",
        "soft_update(net, target)",
        "ema.update(net)",
        "agent.sync_target_average()",
        "average.update_parameters(net)",
    ],
)
def test_finds_what_gives_new_values_to_weights(lines, statement):
    assert lines(f"x = 1\n{statement}\n") == [2]


@pytest.mark.parametrize(
    "statement",
    [
        "loss = mse(net(a), target(b))",
        "bar.update(1)",
        "optimizer.step()",
        "seen.update({1: 2})",
        "t = copy.deepcopy(n)",
    ],
)
def test_leaves_out_what_does_not(lines, statement):
    assert lines(statement + "\n") == []


def test_a_function_of_the_file_counts_by_what_it_does_and_only_if_it_is_asked_for(lines):
    function = "def update(target, net):\n    target.load_state_dict(net.state_dict())\n"
    assert lines(function) == []
    assert lines(function + "update(target, net)\n") == [2]
    assert lines("def update(batch):\n    loss.backward()\nupdate(batch)\n") == []


def test_says_nothing_of_files_that_are_not_there():
    assert renewed_at("gone.py") == ()
