"""Operations as such."""

import torch

from stetho.capture.torch.autopsy.kinds import kind_of, name_of


def test_names_are_plain():
    assert name_of(torch.ops.aten._log_softmax.default) == "log_softmax"
    assert name_of(torch.ops.aten.add_.Tensor) == "add"


def test_knows_views_and_what_is_written():
    assert kind_of(torch.ops.aten.view.default).is_view
    in_place = kind_of(torch.ops.aten.addcmul_.default)
    assert (in_place.is_view, in_place.writes, in_place.writes_aside) == (False, (0,), ())
    statistics = kind_of(torch.ops.aten._native_batch_norm_legit.default)
    assert statistics.writes == statistics.writes_aside == (3, 4)
    assert kind_of(torch.ops.aten._foreach_mul_.Scalar).writes_aside == (0,)


def test_operations_of_higher_order_have_no_schema():
    kind = kind_of(torch.ops.higher_order.cond)
    assert (kind.name, kind.is_view, kind.writes) == ("cond", False, ())
