"""Every tensor of a step."""

from stetho.equivalence.torch.tape import Tape, one_pass
from stetho.equivalence.torch.training import build
from tests.equivalence.setups import Setup


def test_a_step_holds_everything_from_the_batch_to_the_update() -> None:
    training = build(Setup)
    tape = Tape(training)
    tape.record(one_pass, training.batches(), 2)
    assert len(tape.steps) == 2
    stages = dict.fromkeys(key.partition("/")[0] for key in tape.steps[0])
    assert {"input", "param", "lr", "act", "loss", "grad", "state.exp_avg", "update"} <= set(stages)
    assert tape.steps[0]["act/0"].shape == (18, 8)
    assert tape.kinds["1"] == "LayerNorm"


def test_no_hook_is_left_behind() -> None:
    training = build(Setup)
    tape = Tape(training)
    tape.record(one_pass, training.batches(), 1)
    assert not any(module._forward_hooks for module in training.model.modules())
    assert not training.optimizer._optimizer_step_pre_hooks
