"""Findings and verdicts as JSON; the published schema is `schema.json` beside this file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stetho.findings.finding import Finding, Steps, Where
from stetho.findings.verdict import Verdict

FORMAT = 1
"""The version of the document; a change that readers must know of raises it."""

SCHEMA_FILE = Path(__file__).with_name("schema.json")


def verdict_document(verdict: Verdict, run: str) -> dict[str, Any]:
    """What `--json` writes: findings ranked, causes first, symptoms nested in the cause that explains them.

    >>> verdict_document(Verdict(clear=("loss-plateau",)), "stetho-runs/a")
    {'format': 1, 'run': 'stetho-runs/a', 'findings': [], 'skipped': [], 'clear': ['loss-plateau']}
    """
    return {
        "format": FORMAT,
        "run": run,
        "findings": [finding_document(each) for each in verdict.findings],
        "skipped": [{"check": each.check, "reason": each.reason} for each in verdict.skipped],
        "clear": list(verdict.clear),
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding with its symptoms.

    >>> document = finding_document(Finding("loss-plateau", "warning", 0.9, "the loss is 2.3", Where(layer="fc")))
    >>> document["where"], finding_of(document).where.layer
    ({'layer': 'fc', 'parameter': None, 'file': None, 'line': None}, 'fc')
    """
    where, steps = finding.where, finding.steps
    return {
        "check": finding.check,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "title": finding.title,
        "where": {"layer": where.layer, "parameter": where.parameter, "file": where.file, "line": where.line},
        "steps": {"first": steps.first, "last": steps.last, "count": steps.count},
        "evidence": dict(finding.evidence),
        "explains": list(finding.explains),
        "try_next": finding.try_next,
        "symptoms": [finding_document(each) for each in finding.symptoms],
    }


def finding_of(document: Mapping[str, Any]) -> Finding:
    """The finding that a document describes."""
    return Finding(
        check=document["check"],
        severity=document["severity"],
        confidence=document["confidence"],
        title=document["title"],
        where=Where(**document["where"]),
        steps=Steps(**document["steps"]),
        evidence=dict(document["evidence"]),
        explains=tuple(document["explains"]),
        try_next=document["try_next"],
        symptoms=tuple(map(finding_of, document["symptoms"])),
    )
