"""After which step another run goes on."""

from stetho.comparing.runs.beginning import goes_on_after
from tests.comparing.trainings import Net, Record, batches


def test_the_step_is_known_by_the_weights_that_a_run_begins_with(record: Record) -> None:
    kept = {}

    def after(model: Net, _optimizer: object, step: int) -> None:
        kept[step] = {name: value.clone() for name, value in model.state_dict().items()}

    whole = record(steps=4, after=after)
    later = record(steps=1, before=lambda model: model.load_state_dict(kept[2]), data=batches)
    assert goes_on_after(whole, later, [3, 2, 1, 0]) == 2
    assert goes_on_after(whole, later, [3, 1, 0]) is None


def test_other_weights_are_those_of_no_step(record: Record) -> None:
    assert goes_on_after(record(), record(seed=1), range(3)) is None
