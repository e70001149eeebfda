from stetho.checks.mechanisms.wasted import wasted_passes
from stetho.checks.run.facts import Group, Optimizer
from stetho.testing import make_window

ORDER = "zero_grad forward backward"
GUESSING = {"label_counts": [[50, 50]] * 60, "correct": 51, "counted": 100}


def wasted(order, **given):
    window = {"batch": GUESSING, "eval_batch": {"label_counts": None}, "step": {"backwards": 12}}
    return wasted_passes(make_window(order=order, **window | given), 720, 0.7)


MOSTLY = f"{' '.join([ORDER] * 12)} step"


def test_finds_updates_that_use_one_backward_pass_of_many():
    found = wasted(MOSTLY)
    assert (found.where.line, found.evidence["updates"]) == (33, 60)
    assert "720 backward passes and 60 updates: the gradients of 11 in 12" in found.title
    assert "only after a step" in found.try_next


def test_finds_rare_updates_when_the_order_was_cut_off_before_the_step():
    assert wasted(" ".join([ORDER] * 12)) is not None


def test_stays_quiet_when_passes_are_accumulated_or_gathered_by_hand():
    assert wasted("zero_grad " + "forward backward " * 12 + "step") is None
    assert wasted(" ".join([f"{ORDER} clip"] * 12) + " step") is None


def test_stays_quiet_about_rare_updates_when_all_goes_well():
    assert wasted(MOSTLY, batch=GUESSING | {"correct": 95}) is None


def test_right_answers_do_not_excuse_a_loss_that_hardly_falls():
    crawling = {"step": {"backwards": 12, "loss": [0.14 - 0.0002 * n for n in range(60)]}}
    assert wasted(MOSTLY, batch=GUESSING | {"correct": 90}, **crawling) is not None
    assert wasted(MOSTLY, batch=GUESSING | {"correct": 97}, **crawling) is None


def test_stays_quiet_about_two_passes_for_an_update_and_about_several_optimizers():
    assert wasted(f"{ORDER} {ORDER} step", step={"backwards": 2}) is None
    assert wasted(MOSTLY, optimizers=[Optimizer(0, "Adam"), Optimizer(1, "SGD")]) is None


def test_stays_quiet_about_an_optimizer_that_asks_for_the_loss_by_itself():
    assert wasted(MOSTLY, optimizers=[Optimizer(0, "LBFGS", None, (Group({"lr": 1.0, "max_iter": 15}, ()),))]) is None
