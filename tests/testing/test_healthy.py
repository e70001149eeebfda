"""The healthy run is healthy: what it says of itself agrees with itself."""

import numpy as np

from stetho.testing import make_window


def test_no_sample_is_seen_twice() -> None:
    window = make_window()
    seen = [sample for phase in ("train", "eval") for batch in window.batches(phase)["samples"] for sample in batch]
    assert len(set(seen)) == len(seen)


def test_labels_add_up_to_the_batch() -> None:
    batches = make_window().batches()
    assert all(counts.sum() == size for counts, size in zip(batches["label_counts"], batches["size"], strict=True))


def test_moments_agree() -> None:
    window = make_window()
    for layer in window.layers:
        mean, std, rms = (window.layer_stat(f"act.{measure}", layer) for measure in ("mean", "std", "rms"))
        assert mean is not None
        assert std is not None
        assert rms is not None
        assert np.allclose(mean.values**2 + std.values**2, rms.values**2)


def test_the_loss_depends_on_every_parameter() -> None:
    window = make_window()
    assert set(window.loss_graphs[0].reached) == {parameter.name for parameter in window.parameters}
