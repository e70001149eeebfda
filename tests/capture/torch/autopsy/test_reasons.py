"""Operations in words."""

import pytest

from stetho.capture.torch.autopsy.ops import Evidence, Op, Operand, Source
from stetho.capture.torch.autopsy.reasons import expression_of, reason_of


def op(name, *values, result="nan", node=None, dtype="float32", sources=(), **facts):
    operands = [Operand(f"x{place}", "", value) for place, value in enumerate(values)]
    evidence = Evidence((0,), (4,), dtype, 1, result, operands, [], facts)
    phase = "backward" if node else "forward"
    return Op(1, name, phase, None, None, node, has_nan=True, sources=list(sources), evidence=evidence)


INF = float("inf")
MASKED = Source(1, None, has_nan=False, only_negative=True)


@pytest.mark.parametrize(
    ("made", "expression", "why", "growth"),
    [
        (op("log", 0.0), "log(0)", "logarithm of 0", False),
        (op("log", 0j, result="(-inf+0j)"), "log(0j)", "logarithm of 0", False),
        (op("log", -0.3), "log(-0.3)", "no logarithm", False),
        (op("log1p", -1.0), "log1p(-1)", "log1p of -1", False),
        (op("log1p", -2.0), "log1p(-2)", "1 + -2 is negative", False),
        (op("linalg_slogdet", result="-inf", high=3.0), "linalg_slogdet", "singular", False),
        (op("lgamma", 0.0, result="inf"), "lgamma(0)", "no finite value there", False),
        (op("mul", 1e30, 1e30, result="inf", high=1e30), "1e+30 * 1e+30", "larger than float32", True),
        (op("sqrt", -2.0), "sqrt(-2)", "no square root", False),
        (op("div", 0.0, 0.0), "0 / 0", "division by 0", False),
        (op("reciprocal", 0.0), "1 / 0", "division by 0", False),
        (op("exp", 104.0, result="inf"), "exp(104)", "overflows float32", True),
        (op("pow", 0.0, -1.0), "0 ** -1", "division by 0", False),
        (op("pow", -2.0, 0.5), "-2 ** 0.5", "fractional power", False),
        (op("acos", 1.1), "acos(1.1)", "not defined at 1.1", False),
        (op("softmax", float("-inf"), sources=[MASKED]), "softmax of a row of -inf", "nothing left", False),
        (op("mean", elements=0.0), "mean of 0 values", "0 / 0", False),
        (op("std", along=1.0), "std of 1 value", "single value", False),
        (op("nll_loss_forward"), "the mean over 0 targets", "no target counts", False),
        (op("ctc_loss", 3, 4, result="inf"), "ctc_loss(3, 4)", "shorter than it", False),
        (op("mul", float("inf"), 0.0), "inf * 0", "infinity meets", False),
        (op("mm", result="inf", high=1e30), "matrix product", "larger than float32", True),
        (op("to_copy", 7e4, result="inf", dtype="float16"), "7e+04 as float16", "6.55e+04", True),
        (op("div", 1.0, 0.0, node="Sqrt", result="inf"), "gradient of sqrt: 1 / 0", "infinite", False),
        (op("div", 0.0, 0.0, node="Sqrt"), "gradient of sqrt: 0 / 0", "0 times infinity", False),
        (op("sub", -INF, -INF, node="Logsumexp"), "gradient of logsumexp: -inf - -inf", "all that is added up", False),
        (op("mul", 1e30, 1e30, node="Mul", result="inf"), "gradient of mul: 1e+30 * 1e+30", "larger than", True),
    ],
)
def test_every_kind_of_birth_is_explained(made, expression, why, growth):
    reason = reason_of(made)
    assert (reason.expression, reason.growth) == (expression, growth)
    assert why in reason.why
    assert reason.prevention


def test_a_derivative_that_the_program_computes_itself_is_mended_in_its_line():
    made = op("div", 0.5, 0.0, node="SafeSqrt", result="inf")
    made.is_own = True
    reason = reason_of(made)
    assert (reason.expression, reason.why) == ("gradient of safe_sqrt: 0.5 / 0", "a division by 0")
    assert "`where`" not in reason.prevention


def test_an_operation_without_values_is_its_name():
    assert expression_of(Op(1, "cumprod", "forward", None, None)) == "cumprod"
