"""Advantage actor-critic on a falling-ball catching game.

split: test
"""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(31)
torch.set_num_threads(1)
W, H, N = 7, 6, 64


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh())
        self.pi = nn.Linear(48, 3)
        self.v = nn.Linear(48, 1)

    def forward(self, s):
        h = self.trunk(s)
        return self.pi(h), self.v(h).squeeze(-1)


def episode(net, greedy=False):
    ball = torch.randint(0, W, (N,))
    pad = torch.randint(0, W, (N,))
    lp, val, ent = [], [], []
    for t in range(H):
        s = torch.stack([ball / (W - 1) * 2 - 1, pad / (W - 1) * 2 - 1, torch.full((N,), t / H)], 1).float()
        logits, v = net(s)
        dist = torch.distributions.Categorical(logits=logits)
        a = logits.argmax(-1) if greedy else dist.sample()
        lp.append(dist.log_prob(a))
        ent.append(dist.entropy())
        val.append(v)
        pad = (pad + a - 1).clamp(0, W - 1)
    reward = (pad == ball).float() * 2 - 1
    return torch.stack(lp), torch.stack(val), torch.stack(ent), reward


net = ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=7e-3)
for it in range(350):
    lp, val, ent, R = episode(net)
    adv = R.unsqueeze(0) - val.detach()
    loss = -(lp * adv).mean() + 0.5 * F.mse_loss(val, R.expand_as(val)) - 0.01 * ent.mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    opt.step()
    if it % 50 == 49:
        print(f"update {it + 1} loss {loss.item():.3f} mean reward {R.mean():.3f}")
with torch.no_grad():
    print("greedy reward", round(sum(episode(net, True)[-1].mean().item() for _ in range(8)) / 8, 3))
