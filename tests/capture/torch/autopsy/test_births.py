"""From a bad value back to where it began, on traces made by hand."""

from stetho.capture.torch.autopsy.births import births_of
from stetho.capture.torch.autopsy.ops import Op, Source


def op(number, name, *sources, nan=False, constant=False):
    made = Op(number, name, "forward", None, None, has_nan=nan, has_inf=not nan, constant=constant)
    made.sources = list(sources)
    return made


def made_by(number, *, nan=False, negative=True):
    return Source(number, None, nan, negative)


def outside(origin, *, nan=False):
    return Source(None, origin, nan, only_negative=not nan)


def births(end, *ops):
    return births_of([end], {each.number: each for each in ops})


def test_walks_to_the_first_operation():
    (birth,) = births(made_by(3), op(1, "log"), op(2, "mul", made_by(1)), op(3, "sum", made_by(2)))
    assert birth.op.name == "log"
    assert [each.name for each in birth.chain] == ["mul", "sum"]


def test_a_mask_is_no_birth_and_what_makes_nan_of_it_is():
    mask = op(1, "masked_fill", constant=True)
    (birth,) = births(made_by(2, nan=True), mask, op(2, "softmax", made_by(1), nan=True))
    assert birth.op.name == "softmax"


def test_an_overflow_that_is_no_mask_is_the_birth_of_the_nan_behind_it():
    ops = [op(1, "exp"), op(2, "sub", made_by(1, negative=False), nan=True)]
    (birth,) = births(made_by(2, nan=True), *ops)
    assert birth.op.name == "exp"


def test_what_came_from_outside_is_named():
    (birth,) = births(made_by(1, nan=True), op(1, "addmm", outside("input[0]", nan=True), nan=True))
    assert (birth.op, birth.origin, birth.order) == (None, "input[0]", 0)


def test_minus_infinity_in_a_given_mask_is_deliberate_and_in_a_product_is_not():
    (soft,) = births(made_by(1, nan=True), op(1, "softmax", outside("input[1]"), nan=True))
    assert soft.op.name == "softmax"
    (product,) = births(made_by(1, nan=True), op(1, "addmm", outside("input[0]"), nan=True))
    assert product.origin == "input[0]"


def test_minus_infinity_of_the_data_stays_one_behind_other_operations():
    total = op(1, "sum", outside("input[0]"))
    (product,) = births(made_by(2, nan=True), total, op(2, "mul", made_by(1), nan=True))
    assert product.origin == "input[0]"
    (soft,) = births(made_by(2, nan=True), total, op(2, "softmax", made_by(1), nan=True))
    assert soft.op.name == "softmax"


def test_a_parameter_is_never_a_mask():
    (birth,) = births(made_by(1, nan=True), op(1, "softmax", outside("parameter w"), nan=True))
    assert birth.origin == "parameter w"


def test_the_earliest_of_several_comes_first():
    ops = [op(1, "log"), op(2, "div"), op(3, "add", made_by(2), made_by(1))]
    assert [birth.op.number for birth in births(made_by(3), *ops)] == [1, 2]


def test_a_buffer_is_not_blamed_for_what_this_very_pass_has_written_into_it():
    ops = [op(4, "div", nan=True), op(5, "add", outside("buffer scale", nan=True), made_by(4, nan=True), nan=True)]
    assert [birth.origin for birth in births(made_by(5, nan=True), *ops)] == [None, "buffer scale"]
