"""Devices are looked for before a program is started."""

from types import SimpleNamespace

import pytest
import torch

from stetho.comparing.torch.devices import check_device
from stetho.errors import UsageError


def with_devices(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    kind = SimpleNamespace(is_available=lambda: count > 0, device_count=lambda: count)
    monkeypatch.setattr(torch, "get_device_module", lambda _: kind)


@pytest.mark.parametrize("text", ["gpu", "meta", "cuda:x", "", "cuda:-1", "cuda:1:2"])
def test_what_is_no_device_is_refused_with_those_that_are(text: str) -> None:
    with pytest.raises(UsageError, match="must be one of: cpu, cuda, mps, xpu"):
        check_device(text)


def test_a_device_that_is_not_here_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with_devices(monkeypatch, 0)
    with pytest.raises(UsageError, match="finds no cuda device on this machine"):
        check_device("cuda")


@pytest.mark.parametrize(("count", "words"), [(1, "take cuda:0$"), (4, "take cuda:0 to cuda:3$")])
def test_a_number_that_is_too_high_is_told(monkeypatch: pytest.MonkeyPatch, count: int, words: str) -> None:
    with_devices(monkeypatch, count)
    check_device("cuda:0")
    with pytest.raises(UsageError, match=words):
        check_device("cuda:4")
