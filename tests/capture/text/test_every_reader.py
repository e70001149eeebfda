"""Every reader of a program's text survives any line of any program: at worst, it tells nothing."""

from pathlib import Path

import pytest

from stetho.capture.text import (
    activations,
    amounts,
    asked,
    assignments,
    begun,
    carried,
    changed,
    chosen,
    compared,
    copied,
    cuts,
    drawn_targets,
    draws,
    duplicated,
    factors,
    fed,
    frozen,
    given,
    handed_on,
    held,
    kept,
    later,
    masks,
    modes,
    order,
    out_of_proportion,
    quantiles,
    rearranged,
    renamed,
    reordered,
    reseeded,
    resets,
    rewards,
    rewrapped,
    shifts,
    sliced,
    softmaxes,
    stepping,
    told,
    transformed,
    undefined,
    untied,
    used,
    viewed,
    weighed,
    written,
)

OF_A_LINE = {
    "loss": assignments.loss_made_at,
    "input": assignments.input_made_at,
    "last input": assignments.last_input_made_at,
    "target": assignments.target_made_at,
    "target drawn": drawn_targets.target_drawn_at,
    "indices": lambda line: asked.asked_at(line, "x"),
    "batch": sliced.batch_written_at,
    "amounts": lambda line: amounts.amounts_at(line.rpartition(":")[0]),
    "softmax": softmaxes.softmax_at,
    "transform": transformed.transformed_at,
    "handed on": lambda line: handed_on.handed_on_at(line, line, "Block", "Linear", "out_features", 1),
    "state": begun.state_made_at,
    "carried": lambda line: carried.carried_at(line, line),
    "activation": lambda line: activations.activation_at(line, "relu"),
    "keeps": given.keeps_at,
    "change": changed.changed_at,
    "factor": factors.factor_at,
    "divisor": factors.divisor_at,
    "shift": shifts.shifted_at,
    "choice": lambda line: chosen.chosen_at(line, "ReLU"),
    "comparison": lambda line: compared.compared_at(line, line),
    "copy": lambda line: copied.copied_from(line, "Linear"),
    "cut": lambda line: cuts.cut_at((line,)),
    "draw": draws.drawn_at,
    "feed": lambda line: fed.fed_at(line, "x"),
    "loader": lambda line: fed.loaded_at(line, False),
    "given": lambda line: given.given_at(line, "lr", callee="SGD", position=1),
    "held": held.held_at,
    "kept": kept.kept_at,
    "later": lambda line: later.is_later(line, line),
    "mask": lambda line: masks.mask_at((line,)),
    "mode": modes.mode_at,
    "order": order.order_made_at,
    "rounds": order.rounds_written_at,
    "end": order.left_at,
    "quantile": quantiles.quantile_at,
    "names": renamed.renamed_at,
    "seed": reseeded.reseeded_at,
    "workers": reseeded.worker_seeded_at,
    "reset": resets.reset_at,
    "reward": rewards.reward_at,
    "leaf": rewrapped.rewrapped_at,
    "condition": stepping.step_guarded_at,
    "zeroed": stepping.zeroed_outside_at,
    "emptied": stepping.emptied_at,
    "undefined": undefined.undefined_at,
    "undefined before": undefined.undefined_before,
    "told": told.told_name,
    "argument": lambda line: used.argument_used_at(line, 1),
    "write": written.written_at,
    "view": viewed.viewed_at,
    "weight": lambda line: weighed.weighed_at(line, "weight", "CrossEntropyLoss", 0),
}
OF_A_FILE = {
    "doubled": duplicated.duplicated_at,
    "frozen": lambda file: frozen.frozen_at((file,), "body.weight"),
    "proportion": out_of_proportion.out_of_proportion_at,
    "reshaped": lambda file: rearranged.reshaped_at(file, 3),
    "turned": rearranged.turned_at,
    "reordered": reordered.reordered_at,
    "untied": lambda file: untied.untied_at(file, "words", "head"),
}
ODD = """
class Odd:
    def again(self, a, *, b=0):
        self.again(*a, b=self)
        self.other()
        return build(self, a[0], mask=self.mask)

    def other(self):
        a = b[0]
        b = a[0]
        return attention(x, mask=a), (lambda q: q)(self)

def recursive(n, *rest, **named):
    return recursive(n, *rest, **named) if n else [m for m in (n := 3,)]

@decorated(lambda f: f)
async def waits(): return await waits()

match point:
    case (x, y): loss = x
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    odd = tmp_path_factory.mktemp("odd")
    texts = {"odd.py": ODD, "broken.py": "def f(:\n", "empty.py": "", "zeros.py": "x = 1\0"}
    for name, text in texts.items():
        (odd / name).write_text(text)
    programs = sorted((Path(__file__).parents[2] / "programs").rglob("*.py"))
    return [*(odd / name for name in texts), odd / "gone.py", *programs[::40]]


@pytest.mark.parametrize("reader", OF_A_LINE.values(), ids=OF_A_LINE)
def test_any_line(files, reader):
    for file in files:
        last = file.read_text().count("\n") + 2 if file.exists() else 2
        for number in range(0, last, max(last // 20, 1)):
            assert isinstance(reader(f"{file}:{number}"), str | bool | dict | None)


@pytest.mark.parametrize("reader", OF_A_FILE.values(), ids=OF_A_FILE)
def test_any_file(files, reader):
    for file in files:
        assert isinstance(reader(str(file)), str | None)
