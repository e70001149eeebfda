"""Policy gradient (REINFORCE with a learned baseline) on a vectorised one-dimensional docking task.

split: test
"""
import torch
import torch.nn as nn
from torch.distributions import Categorical

N_ENV, HORIZON, GAMMA = 64, 30, 0.97


def reset(n):
    return torch.stack([torch.empty(n).uniform_(-1, 1), torch.empty(n).uniform_(-0.1, 0.1)], 1)


def dynamics(state, action):
    x, v = state.unbind(1)
    v = 0.95 * v + 0.05 * (action.float() - 1)          # push left, nothing, push right
    x = x + v
    reward = -(x.abs().clamp(max=2)) - 0.5 * v.abs()
    return torch.stack([x, v], 1), reward


def rollout(policy, n, greedy=False):
    s = reset(n)
    S, A, R = [], [], []
    with torch.no_grad():
        for _ in range(HORIZON):
            logits = policy(s)
            a = logits.argmax(1) if greedy else Categorical(logits=logits).sample()
            S.append(s); A.append(a)
            s, r = dynamics(s, a)
            R.append(r)
    return torch.stack(S), torch.stack(A), torch.stack(R), s


def returns_to_go(R):
    G, out = torch.zeros(R.shape[1]), []
    for r in R.flip(0):
        G = r + GAMMA * G
        out.append(G)
    return torch.stack(out[::-1])


torch.manual_seed(1)
policy = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 3))
value = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))
opt_pi = torch.optim.Adam(policy.parameters(), lr=5e-3)
opt_v = torch.optim.Adam(value.parameters(), lr=1e-2)
clock = torch.linspace(0, 1, HORIZON)[:, None, None].expand(HORIZON, N_ENV, 1)

for it in range(1, 201):
    S, A, R, _ = rollout(policy, N_ENV)
    G = returns_to_go(R)
    V = value(torch.cat([S, clock], -1)).squeeze(-1)
    adv = G - V.detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    dist = Categorical(logits=policy(S))
    pi_loss = -(dist.log_prob(A) * adv).mean() - 0.005 * dist.entropy().mean()
    opt_pi.zero_grad()
    pi_loss.backward()
    opt_pi.step()

    v_loss = (V - G).pow(2).mean()
    opt_v.zero_grad()
    v_loss.backward()
    opt_v.step()
    if it % 25 == 0:
        print(f"iter {it:3d}  return {R.sum(0).mean():7.3f}  pi loss {pi_loss.item():+.4f}  value loss {v_loss.item():.3f}")

_, _, R, last = rollout(policy, 500, greedy=True)
print(f"greedy policy: return {R.sum(0).mean():.3f}, docked {((last[:, 0].abs() < 0.1)).float().mean():.3f}")
