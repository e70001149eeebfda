"""A report survives its way through JSON, and a damaged one is told from a whole one."""

import json

from stetho.explaining.report import ErrorReport, FrameReport
from stetho.explaining.scene import Explanation

REPORT = ErrorReport(
    "RuntimeError",
    "mat1 and mat2",
    "net.py:3",
    "fc",
    (FrameReport("net.py", 3, "forward", "self.fc(x)", (("x", "float32"),)), FrameReport("a.py", 1, "f", folded=2)),
    Explanation("the sizes differ", (("x", "float32"),), ("nn.Linear(3, 2)",), "matrix-shapes"),
)  # fmt: skip


def test_is_the_same_after_json() -> None:
    assert ErrorReport.read(json.loads(json.dumps(REPORT.document()))) == REPORT


def test_what_is_no_report_is_none() -> None:
    assert ErrorReport.read({}) is None
    assert ErrorReport.read({**REPORT.document(), "frames": [{"line": 3}]}) is None
