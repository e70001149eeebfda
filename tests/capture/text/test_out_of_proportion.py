"""Which term of a variational loss is reduced unlike the other, the text of the program tells."""

from pathlib import Path

import pytest

from stetho.capture.text.out_of_proportion import out_of_proportion_at

SUMMED = "kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())"
AVERAGED = "kl = -0.5 * (1 + logvar - mu**2 - logvar.exp()).sum(dim=1).mean()"


@pytest.mark.parametrize(
    ("error", "divergence", "line"),
    [
        ("rec = F.mse_loss(out, x)", SUMMED, 3),
        ("rec = F.mse_loss(out, x)", AVERAGED, 2),
        ("rec = ((out - x) ** 2).mean()", AVERAGED, 2),
        ("rec = F.mse_loss(out, x, reduction='sum') / len(x)", AVERAGED, None),
        ("rec = F.mse_loss(out, x, reduction='sum')", SUMMED, None),
        ("rec = F.mse_loss(out, x)", f"{SUMMED} / len(x)", None),
        ("rec = F.mse_loss(out, x)", SUMMED.replace("-0.5", "BETA"), None),
        ("rec = F.mse_loss(out, x) * x[0].numel()", AVERAGED, None),
        ("rec = F.mse_loss(out, x)", "kl = kl_divergence(q, p).mean()", None),
    ],
)
def test_the_term_that_is_reduced_unlike_the_other_is_named(
    tmp_path: Path, error: str, divergence: str, line: int | None
) -> None:
    file = tmp_path / "vae.py"
    file.write_text(f"def terms(out, x, mu, logvar):\n    {error}\n    {divergence}\n    return rec + kl\n")
    assert out_of_proportion_at(str(file)) == (f"{file}:{line}" if line else None)
