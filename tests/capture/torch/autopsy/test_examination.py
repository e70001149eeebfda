"""A kept stretch, run again."""

import torch
from torch import nn

from stetho.capture.guard import Guard
from stetho.capture.torch.autopsy.examination import examined
from stetho.capture.torch.autopsy.kept import Kept
from stetho.capture.torch.autopsy.tape import TapeMode
from stetho.capture.torch.autopsy.telling import Circumstances


def test_names_the_operation_behind_a_bad_tensor():
    x = torch.ones(3, 2)
    kept = Kept(TapeMode(Guard(lambda *_: None)))
    model = nn.Sequential(nn.Linear(2, 1), nn.Hardtanh(0, 0.5))
    nn.init.constant_(model[0].weight, -1.0)
    with torch.no_grad():
        kept.call_begins(model, "", (x,), {}, None)
        out = model(x)
        kept.call_ends(out, follow=True)
        bad = out.sum() / out.sum()
    now = Circumstances(kept.events, 0, 0, 0.0, None, None)  # type: ignore[arg-type]
    found, birth = examined("evaluation", now, whole=True, bad=[bad])
    kept.clear()
    assert birth is not None
    assert (found["operation"], found["expression"], found["faithful"]) == ("div", "0 / 0", True)


def test_says_so_where_nothing_is_bad():
    now = Circumstances([], 0, 0, 0.0, None, None)  # type: ignore[arg-type]
    found, birth = examined("evaluation", now, whole=True, bad=[])
    assert (found["phase"], birth) == ("unknown", None)
