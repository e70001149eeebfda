"""The result of an autopsy as plain data for the run."""

from typing import Any

from stetho.capture.torch.autopsy.births import Birth
from stetho.capture.torch.autopsy.ops import Op
from stetho.capture.torch.autopsy.reasons import reason_of

LONGEST_CHAIN = 12


def birth_document(birth: Birth, *, batch: int | None) -> dict[str, Any]:
    """Where a bad value began, from what, and how it went on."""
    op = birth.op
    chain = [_link(each) for each in birth.chain]
    if len(chain) > LONGEST_CHAIN:
        half = LONGEST_CHAIN // 2
        chain = [*chain[:half], {"operation": f"… {len(chain) - 2 * half} more …"}, *chain[-half:]]
    if op is None:
        return {"phase": "outside", "origin": birth.origin, "chain": chain}
    reason, evidence = reason_of(op), op.evidence
    found: dict[str, Any] = {
        "phase": op.phase,
        "operation": op.name if op.node is None else _plain(op.node),
        "expression": reason.expression,
        "why": reason.why,
        "prevention": reason.prevention,
        "growth": reason.growth,
        "line": op.line,
        "layer": op.layer,
        "chain": chain,
    }
    if evidence is not None:
        rows = evidence.rows if batch is not None and evidence.shape[:1] == (batch,) else []
        found |= {
            "result": evidence.result,
            "index": list(evidence.index),
            "shape": list(evidence.shape),
            "dtype": evidence.dtype,
            "bad": evidence.bad,
            "inputs": [{"name": o.name, "text": o.text, "value": _json(o.value)} for o in evidence.operands],
            "samples": rows,
        }
    return found


def _link(op: Op) -> dict[str, Any]:
    name = op.name if op.node is None else f"gradient of {_plain(op.node)}"
    return {"operation": name, "phase": op.phase, "line": op.line, "layer": op.layer}


def _plain(node: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in node).strip("_")


def _json(value: object) -> object:
    # JSON has no word for these.
    return (
        str(value) if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))) else value
    )
