"""The charge of a battery, window by window.

fault: hidden-state-lost
also: 
split: test
line: 44
"""

import argparse

import torch
from torch import nn


def simulate(n, steps, gen):
    level = torch.zeros(n)
    drift = torch.zeros(n)
    current, charge = [], []
    for _ in range(steps):
        drift = 0.9 * drift + 0.3 * torch.randn(n, generator=gen)
        level = 0.985 * level + 0.1 * drift
        current.append(drift + 0.05 * torch.randn(n, generator=gen))
        charge.append(level)
    return torch.stack(current, 1).unsqueeze(-1), torch.stack(charge, 1).unsqueeze(-1)


class ChargeRNN(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, x, state=None):
        out, state = self.gru(x, state)
        return self.readout(out), state


def train_epoch(model, opt, x, y, window, batch):
    model.train()
    losses = []
    for ids in torch.randperm(len(x)).split(batch):
        xs, ys = x[ids], y[ids]
        for start in range(0, xs.size(1), window):
            state = None
            pred, state = model(xs[:, start:start + window], state)
            loss = nn.functional.mse_loss(pred, ys[:, start:start + window])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            state = state.detach()
            losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def r_squared(model, x, y):
    model.eval()
    pred, _ = model(x)
    return 1 - ((pred - y) ** 2).sum().item() / ((y - y.mean()) ** 2).sum().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--window", type=int, default=20)
    ap.add_argument("--hidden", type=int, default=32)
    ap.add_argument("--seed", type=int, default=19)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    x, y = simulate(192, 200, gen)
    x_test, y_test = simulate(64, 200, gen)
    xs, ym, ys = x.std(), y.mean(), y.std()
    x, x_test = x / xs, x_test / xs
    y, y_test = (y - ym) / ys, (y_test - ym) / ys

    model = ChargeRNN(args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(1, args.epochs + 1):
        loss = train_epoch(model, opt, x, y, args.window, 32)
        print(f"epoch {epoch:2d}  mse {loss:.4f}  test R2 {r_squared(model, x_test, y_test):.4f}")


if __name__ == "__main__":
    main()
