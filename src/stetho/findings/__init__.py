"""What a diagnosis is made of: findings, causes with their symptoms, and the order they are told in."""

from stetho.findings.finding import Evidence, Finding, Severity, Steps, Where

__all__ = ["Evidence", "Finding", "Severity", "Steps", "Where"]
