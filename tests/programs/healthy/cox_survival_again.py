"""Cox proportional hazards with a neural risk score. Full batch, sorted by time, censored records included.

split: train
"""
import numpy as np
import torch
import torch.nn as nn


def cohort(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 8)).astype(np.float32)
    risk = 1.2 * x[:, 0] - 0.8 * x[:, 1] + 0.9 * x[:, 2] ** 2 + 0.9 * x[:, 3] * (x[:, 4] > 0)
    life = rng.exponential(np.exp(-risk))
    cens = rng.exponential(2.5, n)
    time = np.minimum(life, cens).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(time), torch.from_numpy((life <= cens)), torch.from_numpy(risk)


def partial_likelihood(score, event):
    """Negative log partial likelihood; records must come with the longest time first, so that the
    risk set of record i is everything up to i."""
    log_risk = torch.logcumsumexp(score, 0)
    return -(score - log_risk)[event].sum() / event.sum()


def concordance(score, time, event):
    ok = (time[:, None] < time[None, :]) & event[:, None]
    right = (score[:, None] > score[None, :]) & ok
    return right.sum().item() / ok.sum().item()


def main():
    torch.manual_seed(0)
    x, time, event, _ = cohort(1500, 0)
    xv, tv, ev, _ = cohort(400, 1)
    xt, tt, et, risk_t = cohort(600, 2)
    order = torch.argsort(time, descending=True)
    x, event = x[order], event[order]
    v_order = torch.argsort(tv, descending=True)
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1, bias=False))
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.05)
    best, best_state, wait = float("inf"), None, 0
    print(f"{(~event).float().mean():.2f} of the records are censored")
    for epoch in range(400):
        loss = partial_likelihood(net(x).squeeze(1), event)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            v = partial_likelihood(net(xv[v_order]).squeeze(1), ev[v_order]).item()
        if v < best - 1e-4:
            best, wait = v, 0
            best_state = {k: p.clone() for k, p in net.state_dict().items()}
        else:
            wait += 1
        if epoch % 40 == 0:
            print(f"epoch {epoch} train {loss.item():.4f} valid {v:.4f}")
        if wait == 40:
            print(f"stopped at epoch {epoch}")
            break
    net.load_state_dict(best_state)
    with torch.no_grad():
        c = concordance(net(xt).squeeze(1), tt, et)
    print(f"test concordance {c:.4f} (the true risk gives {concordance(risk_t, tt, et):.4f})")


if __name__ == "__main__":
    main()
