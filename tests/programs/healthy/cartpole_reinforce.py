"""REINFORCE with a value baseline on a batch of simulated cart-poles.

split: train
"""
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(5)
N_ENVS, HORIZON, GAMMA = 24, 100, 0.98


def physics(s, a):
    x, v, th, w = s.unbind(1)
    force = a.float() * 20 - 10
    sin, cos = th.sin(), th.cos()
    tmp = (force + 0.05 * w ** 2 * sin) / 1.1
    acc_th = (9.8 * sin - cos * tmp) / (0.5 * (4 / 3 - 0.1 * cos ** 2 / 1.1))
    acc_x = tmp - 0.05 * acc_th * cos / 1.1
    return torch.stack([x + 0.02 * v, v + 0.02 * acc_x, th + 0.02 * w, w + 0.02 * acc_th], 1)


def mlp(n_out):
    return nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, n_out))


policy, value = mlp(2), mlp(1)
opt = torch.optim.Adam([{"params": policy.parameters(), "lr": 1e-2}, {"params": value.parameters(), "lr": 2e-2}])
SCALE = torch.tensor([1.0, 1.0, 0.1, 1.0])

for it in range(60):
    state = 0.1 * torch.rand(N_ENVS, 4) - 0.05
    alive = torch.ones(N_ENVS)
    states, actions, alives = [], [], []
    with torch.no_grad():
        for t in range(HORIZON):
            obs = state / SCALE
            a = Categorical(logits=policy(obs)).sample()
            states.append(obs)
            actions.append(a)
            alives.append(alive.clone())
            state = physics(state, a)
            alive = alive * ((state[:, 0].abs() < 2.4) & (state[:, 2].abs() < 0.21)).float()
    alive_t = torch.stack(alives)
    obs_t, act_t = torch.stack(states), torch.stack(actions)
    returns, g = [], torch.zeros(N_ENVS)
    for r in reversed(alive_t):
        g = r + GAMMA * g
        returns.append(g)
    ret = torch.stack(returns[::-1])

    keep = alive_t.bool()
    obs_k, act_k, ret_k = obs_t[keep], act_t[keep], ret[keep] / 20
    v = value(obs_k).squeeze(-1)
    adv = (ret_k - v).detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    dist = Categorical(logits=policy(obs_k))
    loss = -(dist.log_prob(act_k) * adv).mean() + 0.5 * (v - ret_k).pow(2).mean() - 0.005 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_([*policy.parameters(), *value.parameters()], 1.0)
    opt.step()
    length = alive_t.sum(0).mean().item()
    if it % 10 == 0 or it == 59:
        print(f"iter {it:3d} mean episode length {length:.1f} of {HORIZON}")
print(f"score {length:.2f}")
