"""What an operation did with the values it was given, in words, and what would have prevented it. Plain text work."""

from dataclasses import dataclass, replace
from math import isinf, isnan

from stetho.capture.torch.autopsy.ops import Op

SIGNS = {"div": "/", "mul": "*", "add": "+", "sub": "-", "pow": "**", "rsub": "-", "true_divide": "/"}
LARGEST = {"float16": 65504.0, "bfloat16": 3.3895e38, "float32": 3.4028e38, "float64": 1.7977e308}
PRODUCTS = ("mm", "addmm", "bmm", "baddbmm", "matmul", "linear", "convolution", "mkldnn_linear", "addbmm", "mv",
            "dot", "addmv", "mkldnn_convolution", "conv2d", "einsum",
            "scaled_dot_product_flash_attention_for_cpu")  # fmt: skip
GROWING = (*PRODUCTS, "prod", "cumprod", "sum", "cumsum", "matrix_exp", "linalg_matrix_exp", "to_copy")
"""Operations that make large values out of many small ones, or out of operands that are not looked at."""
SMALL = {"float16": 255.0, "float64": 1e150}
EPS = "add a small constant before it, as in sqrt(x + 1e-8)"
SAFE_LOG = "keep its argument away from 0: log(x.clamp_min(1e-8)), or a loss that takes logits"
BEFORE_WHERE = (
    "`where` and `nan_to_num` do not keep a bad value out of the gradient; replace the argument first, as in "
    "`log(where(ok, x, 1))`, and the result afterwards"
)


@dataclass(frozen=True, slots=True)
class Reason:
    """The operation with its values, why that is no number, and what would have helped."""

    expression: str
    why: str
    prevention: str
    growth: bool = False
    """Nothing is wrong with the operation itself: its inputs have grown too large."""


def reason_of(op: Op) -> Reason:
    """What happened in the operation that gave birth to a bad value."""
    if op.phase == "backward" and op.node is not None:
        return _in_own_gradient(op) if op.is_own else _in_gradient(op)
    return _in_forward(op)


def expression_of(op: Op) -> str:
    """The operation with the values at the bad index, as one would type it.

    >>> from stetho.capture.torch.autopsy.ops import Evidence, Operand
    >>> where = Evidence((3, 7), (32, 10), "float32", 1, "-inf", [Operand("self", "", 0.0)], [3])
    >>> expression_of(Op(1, "log", "forward", None, None, evidence=where))
    'log(0)'
    """
    values = [operand.value for operand in op.evidence.operands if operand.value is not None] if op.evidence else []
    if op.name in SIGNS and len(values) >= 2:
        left, right = values[:2] if op.name != "rsub" else (values[1], values[0])
        return f"{_text(left)} {SIGNS[op.name]} {_text(right)}"
    if op.name == "reciprocal" and values:
        return f"1 / {_text(values[0])}"
    if op.evidence is not None and _is_along(op):
        return f"{op.name} of {_text(op.evidence.facts.get('along', op.evidence.facts.get('elements', 0.0)))} values"
    if op.name in PRODUCTS:
        return _product_name(op.name)
    return f"{op.name}({', '.join(_text(value) for value in values[:2])})" if values else op.name


def _in_forward(op: Op) -> Reason:
    name, expression = op.name, expression_of(op)
    first, second = _values(op)
    if name in ("log", "log2", "log10", "log1p") and first is not None:
        return _logarithm(name, expression, first)
    if name in ("sqrt", "rsqrt") and first is not None:
        what = "the reciprocal of 0 is infinite" if first == 0 else f"{_text(first)} has no square root"
        return Reason(expression, what, EPS if first == 0 else "keep its argument positive: sqrt(x.clamp_min(0))")
    if name in ("div", "reciprocal", "remainder", "fmod") and _divisor(op) == 0:
        return Reason(expression, "a division by 0", "add a small constant to the divisor, or leave such samples out")
    if name in ("pow", "float_power") and first is not None and second is not None:
        return _power(expression, first, second, op)
    if name in ("exp", "expm1", "exp2", "sinh", "cosh") and first is not None and first > 0:
        return Reason(
            expression,
            f"{name} overflows {_dtype(op)}, whose largest number is {_text(LARGEST.get(_dtype(op), 0.0))}",
            "clamp its argument, subtract the maximum first, or use logsumexp, softmax or softplus",
            growth=True,
        )
    if name in ("acos", "asin", "atanh", "acosh") and first is not None:
        return Reason(
            expression, f"{name} is not defined at {_text(first)}", "clamp its argument a little inside its range"
        )
    special = _along_a_dimension(op, expression)
    return special if special is not None else _overflow(op, expression)


def _logarithm(name: str, expression: str, value: float) -> Reason:
    if name == "log1p":
        what = "log1p of -1 is the logarithm of 0, minus infinity" if value == -1 else f"1 + {_text(value)} is negative"
        return Reason(expression, what, "keep its argument above -1: log1p(x.clamp_min(-1 + 1e-6))")
    what = "the logarithm of 0 is minus infinity" if value == 0 else f"{_text(value)} has no logarithm"
    return Reason(expression, what if value <= 0 else "the logarithm cannot be taken", SAFE_LOG)


def _along_a_dimension(op: Op, expression: str) -> Reason | None:
    facts = op.evidence.facts if op.evidence is not None else {}
    along = facts.get("along", facts.get("elements", 1.0))
    if op.name in ("softmax", "log_softmax", "safe_softmax", "masked_softmax") and _has_masks(op):
        why = "every value along the dimension is minus infinity: there is nothing left to choose from"
        return Reason(f"{op.name} of a row of -inf", why, "leave at least one place unmasked in each row")
    if op.name in ("mean", "nanmean") and along == 0:
        why = "the mean of no values at all is 0 / 0"
        return Reason("mean of 0 values", why, "test that the selection is not empty, or divide by max(count, 1)")
    if op.name in ("std", "var", "std_mean", "var_mean") and along <= 1:
        why = "the deviation of a single value divides by 0"
        return Reason(f"{op.name} of 1 value", why, "pass correction=0 (unbiased=False), or leave out groups of one")
    if op.name in ("sub", "add") and _has_masks(op):
        return Reason(expression, "two infinities cancel", "mask after the difference, or use a large finite number")
    if "ctc_loss" in op.name:
        why = "a target cannot be laid out along an input that is shorter than it, repeated labels counted twice"
        return Reason(expression, why, "pass zero_infinity=True, or leave samples out whose target is too long")
    if op.name in ("nll_loss_forward", "nll_loss2d_forward"):
        why = "no target counts (all are ignored, or their weights are 0): the mean is 0 / 0"
        return Reason("the mean over 0 targets", why, "leave batches out in which every target is ignored")
    return None


def _overflow(op: Op, expression: str) -> Reason:
    values = [value for value in _values(op) if value is not None]
    infinite = any(isinf(value) for value in values)
    if op.evidence is not None and op.evidence.result == "nan" and infinite:
        return Reason(expression, "an infinity meets a 0 or another infinity", "keep the infinity from being made")
    high = op.evidence.facts.get("high", 0.0) if op.evidence is not None else 0.0
    low = op.evidence.facts.get("low", 0.0) if op.evidence is not None else 0.0
    size = max(abs(high), abs(low))
    if "logdet" in op.name or "inv" in op.name:
        return Reason(expression, "the matrix is singular", "add a small multiple of the unit matrix to it")
    if op.name not in GROWING and max([size, *map(abs, values)]) < SMALL.get(_dtype(op), 1e4):
        # Nothing was large: the operation itself has no finite value at such a place.
        return Reason(expression, f"{op.name} has no finite value there", "keep its argument away from such values")
    why = f"the result is larger than {_dtype(op)} can hold; its first input reaches {_text(size)}"
    if op.name == "to_copy":
        expression = f"{_text(values[0])} as {_dtype(op)}" if values else f"conversion to {_dtype(op)}"
        why = f"{_dtype(op)} ends at {_text(LARGEST.get(_dtype(op), 0.0))}"
    help_ = "compute this in float32" if _dtype(op) == "float16" else "find out why its inputs have grown so large"
    return Reason(expression, why, help_, growth=True)


def _in_own_gradient(op: Op) -> Reason:
    """The program computes the derivative itself: what is wrong is what would be wrong in any of its lines."""
    reason = _in_forward(op)
    return replace(reason, expression=_gradient(op, reason.expression))


def _in_gradient(op: Op) -> Reason:
    about, expression = _plain(op.node or ""), _gradient(op, expression_of(op))
    by_zero = op.name in ("div", "reciprocal", "pow", "rsqrt") and (_divisor(op) == 0 or 0.0 in _values(op))
    if about in ("sqrt", "rsqrt", "pow", "norm", "linalg_vector_norm") and by_zero:
        why = f"the derivative of {about} at 0 is infinite"
        if op.evidence is not None and op.evidence.result == "nan":
            return Reason(expression, f"{why}, and 0 times infinity is no number", f"{EPS}; {BEFORE_WHERE}")
        return Reason(expression, why, EPS)
    if by_zero or about in ("acos", "asin", "atan2", "atanh", "log", "div"):
        return Reason(expression, f"the derivative of {about} is not finite there", BEFORE_WHERE)
    if about in ("logsumexp", "logcumsumexp", "logaddexp") and _has_masks(op):
        why = "all that is added up is minus infinity there, and the difference of two infinities is no number"
        return Reason(expression, why, "mask with a large negative number, as -1e4, or leave one place unmasked")
    if about.startswith("linalg"):
        why = "its derivative divides by differences that are 0 (equal eigenvalues or singular values)"
        return Reason(expression, why, "add a little noise to the matrix, or do not differentiate through it")
    if op.evidence is not None and op.evidence.result == "nan":
        return Reason(expression, "the gradient is not defined at these values", BEFORE_WHERE)
    overflow = _overflow(op, expression)
    return Reason(expression, overflow.why, "clip the gradient, or scale the loss down", growth=True)


def _gradient(op: Op, expression: str) -> str:
    return f"gradient of {_plain(op.node or '')}: {expression}"


def _power(expression: str, base: float, exponent: float, op: Op) -> Reason:
    if base == 0 and exponent < 0:
        return Reason(expression, "0 to a negative power is a division by 0", "add a small constant to the base")
    if base < 0 and exponent != int(exponent):
        return Reason(expression, "a negative number has no fractional power", "take the absolute value, or clamp at 0")
    return _overflow(op, expression)


def _values(op: Op) -> tuple[float | None, float | None]:
    operands = op.evidence.operands if op.evidence is not None else []
    first, second, *_ = [*(_number(operand.value) for operand in operands[:2]), None, None]
    return first, second


def _number(value: object) -> float | None:
    """A value on the line of the real numbers; of the complex ones only 0 lies on it in every sense."""
    if isinstance(value, int | float):
        return float(value)
    return 0.0 if str(value) in ("0j", "(-0+0j)", "-0j", "(-0-0j)") else None


def _divisor(op: Op) -> float | None:
    first, second = _values(op)
    return first if op.name == "reciprocal" else second


def _has_masks(op: Op) -> bool:
    return any(source.only_negative for source in op.sources) or any(
        value is not None and isinf(value) for value in _values(op)
    )


def _is_along(op: Op) -> bool:
    return op.name in (
        "mean",
        "sum",
        "std",
        "var",
        "softmax",
        "log_softmax",
        "logsumexp",
        "var_mean",
        "std_mean",
        "prod",
    )


def _dtype(op: Op) -> str:
    return op.evidence.dtype if op.evidence is not None else "float32"


def _plain(node: str) -> str:
    """The name of an operation from that of its autograd node: `Sqrt` is `sqrt`, `LinalgEigh` is `linalg_eigh`."""
    letters = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in node)
    return letters.strip("_")


def _product_name(name: str) -> str:
    return "convolution" if "conv" in name else "attention" if "attention" in name else "matrix product"


def _text(value: object) -> str:
    if isinstance(value, float):
        # Zero has a sign, which says nothing here.
        return "nan" if isnan(value) else f"{value + 0.0:.4g}"
    return str(value)
