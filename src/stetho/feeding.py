"""`stetho.data()`: what a model is really fed, sample by sample and batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stetho.errors import UsageError, kind_of

if TYPE_CHECKING:
    from stetho.pipeline.drawing import Source
    from stetho.pipeline.facts import Report


class DataReport:
    """What was found out about a data pipeline. Printed, it is a few tables; `save` writes a page with pictures."""

    def __init__(self, report: Report) -> None:
        self.report = report

    @property
    def ok(self) -> bool:
        """Whether every sample and every batch could be made."""
        return not self.report.failures and not any(split.failures for split in self.report.splits)

    @property
    def fields(self) -> list[dict[str, Any]]:
        """A row for each field of the samples: name, make, shape, range, moments, counts."""
        return [asdict(field) for field in self.report.fields]

    @property
    def remarks(self) -> list[str]:
        """What is worth a look, in sentences."""
        return list(self.report.remarks)

    def document(self) -> dict[str, Any]:
        """All of it as plain data, without the pictures."""
        from stetho.views.data_json import data_document

        return data_document(self.report)

    def save(self, file: str | Path) -> Path:
        """Write a page with pictures of the samples, which needs nothing but itself."""
        from stetho.views.data_page import data_page

        target = Path(file)
        if not target.parent.is_dir():
            raise UsageError(f"there is no folder `{target.parent}` for the page; make it, or name another: {target}")
        target.write_text(data_page(self.report), encoding="utf-8")
        return target

    def __str__(self) -> str:
        from io import StringIO

        from stetho.views.data import print_data

        written = StringIO()
        print_data(self.report, written)
        return written.getvalue().rstrip("\n")

    def _repr_html_(self) -> str:
        from stetho.views.data_page import data_page

        return data_page(self.report, is_part=True)


def data(
    loader: Any,
    *,
    against: Any = (),
    samples: int | None = None,
    keep_going: bool = False,
    batch_size: int | None = None,
    pictures: int = 16,
    decode: Any = None,
    name: str = "loader",
) -> DataReport:
    """Step through a data pipeline in this process: each sample by itself, then the batches that a model gets.

    `loader` is a DataLoader, a data set, any iterable, or a function that makes one; workers and prefetching are off.
    It ends after one epoch, after `samples`, or at the first sample that cannot be made, which the report explains;
    `keep_going` collects all of those. `against` is another split, or several, to look for samples in both. `decode`
    makes text of token ids: a function, or a tokenizer. Random state is put back.

    >>> report = data([(0.5, 1), (0.25, 0), (0.5, 1)])
    >>> [field["name"] for field in report.fields], report.report.duplicates.extra
    (['0', '1'], 1)
    """
    from stetho.pipeline.examining import examine
    from stetho.pipeline.settings import Settings
    from stetho.postmortem import report_of
    from stetho.views.progress import progress_on_stderr

    for label, value in (("samples", samples), ("batch_size", batch_size)):
        if value is not None and value < 1:
            raise UsageError(f"`{label}` (={value}) is less than 1; at least one sample is needed")
    sources = _sources(loader, against, name, batch_size)
    settings = Settings(samples, keep_going, pictures=max(pictures, 0), decode=_decoder(decode))
    with progress_on_stderr("samples") as progress:
        return DataReport(examine(sources, settings, report_of, progress))


def _sources(loader: Any, against: Any, name: str, batch_size: int | None) -> dict[str, Source]:
    from stetho.pipeline.sources import sources_of

    sources = sources_of(loader, name, batch_size=batch_size)
    named = against if isinstance(against, dict) else dict(_numbered(against))
    for other, each in named.items():
        sources |= sources_of(each, other, batch_size=batch_size)
    return sources


def _numbered(against: Any) -> Sequence[tuple[str, Any]]:
    several = against if isinstance(against, list | tuple) else [against]
    return [("against" if len(several) == 1 else f"against[{place}]", each) for place, each in enumerate(several)]


def _decoder(decode: Any) -> Any:
    if decode is None:
        return None
    # A tokenizer can be called too, but that is the way from text to ids.
    found = getattr(decode, "decode", decode)
    if not callable(found):
        raise UsageError(f"`decode` is {kind_of(decode)}; give a function from token ids to text, or a tokenizer")
    return found
