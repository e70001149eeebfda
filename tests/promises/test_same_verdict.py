"""A recorded run is judged as it was judged at its end, for many programs; and no check of ours fails on any."""

import json
from pathlib import Path

import pytest

from stetho.engine import judge
from stetho.findings.document import finding_document
from stetho.store.documents import encode
from stetho.store.finding_lines import read_findings

PROGRAMS = (Path(__file__).parent / "programs.txt").read_text().split()
"""Those that end within seconds with every option on."""
NOT_RECORDED = {"no_training", "torch_but_no_training"}
ENDS_WITHOUT_US = {"os_exit"}


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in NOT_RECORDED])
def test_the_verdict_is_the_same(name, programs):
    run = programs.watched(name).run()
    verdict = judge(run)

    assert [each for each in verdict.skipped if each.reason.startswith("failed: ")] == []
    if name not in ENDS_WITHOUT_US:
        at_the_end = [line for line in read_findings(run.path) if line.pop("is_final") and line.pop("step")]
        assert at_the_end == json.loads(encode([finding_document(each) for each in verdict.findings]))
