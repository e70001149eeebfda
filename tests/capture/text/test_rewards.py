from pathlib import Path

import pytest

from stetho.capture.text.rewards import reward_at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("loss = (logp * adv * alive).sum()", ("adv", False)),
        ("loss = -(logp * adv).mean()", ("adv", False)),
        ("loss = (-adv * ratio).mean()", ("adv", True)),
        ("loss = (logp * (cost - base)).mean()", None),
        ("loss = (logp * (base - returns)).mean()", ("returns", True)),
        ("adv = base - ret\nloss = (dist.log_prob(a) * adv).mean()", ("adv", True)),
        ("adv = (ret - ret.mean()) / (ret.std() + 1e-6)\nloss = (dist.log_prob(a) * adv).mean()", ("adv", False)),
        ("policy_loss.append(-log_prob * R)", ("R", False)),
        ("for lp, R in zip(m.saved_log_probs, returns):\n  losses.append(lp * R)", ("R", False)),
        ("reward = -cost\nloss = (log_probs * reward).mean()", ("reward", False)),
        ("R = cost + g * 2\nloss = (log_probs * R).mean()", None),
        ("loss = (p * p.log()).sum()", None),
        ("loss = -(self.log_probs[i] * self.advantages.detach()).mean()", ("advantages", False)),
    ],
)
def test_names_tell_rewards_from_costs_and_their_sign(
    tmp_path: Path, text: str, expected: tuple[str, bool] | None
) -> None:
    file = tmp_path / "train.py"
    file.write_text(text + "\n")
    found = reward_at(f"{file}:1")
    assert (found and (found["name"], found["turned"])) == expected


def test_products_that_contradict_each_other_tell_nothing(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("loss = logp * adv\nother = logp * -adv\n")
    assert reward_at(f"{file}:1") is None
