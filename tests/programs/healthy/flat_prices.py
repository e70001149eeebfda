"""Price regression on tabular listings (generated), with a categorical district embedding.

split: test
"""
import argparse

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_listings(n, rng):
    area = rng.gamma(6.0, 14.0, n) + 15
    rooms = np.clip(np.round(area / 28 + rng.normal(0, 0.6, n)), 1, 8)
    age = rng.uniform(0, 90, n)
    floor = rng.integers(0, 12, n)
    lift = rng.random(n) < 0.55
    district = rng.integers(0, 15, n)
    base = np.linspace(2.2, 6.5, 15)[np.random.RandomState(3).permutation(15)]
    price = area * base[district] * (1 - 0.004 * age) + 9 * rooms + np.where(lift, 2.5, -2.0) * floor
    price = price * np.exp(rng.normal(0, 0.06, n))
    num = np.stack([area, rooms, age, floor, lift.astype(float)], 1)
    return num.astype(np.float32), district, price.astype(np.float32)


class PriceModel(nn.Module):
    def __init__(self, n_num, n_district, emb=6, hidden=64):
        super().__init__()
        self.emb = nn.Embedding(n_district, emb)
        self.net = nn.Sequential(nn.Linear(n_num + emb, hidden), nn.SiLU(),
                                 nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, num, district):
        return self.net(torch.cat([num, self.emb(district)], dim=1)).squeeze(-1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    num, dis, price = make_listings(6000, np.random.default_rng(args.seed))
    n_tr, n_va = 4200, 900
    mu, sd = num[:n_tr].mean(0), num[:n_tr].std(0)
    num = torch.from_numpy((num - mu) / sd)
    dis = torch.from_numpy(dis)
    logp = torch.from_numpy(np.log(price))
    y_mu, y_sd = logp[:n_tr].mean(), logp[:n_tr].std()
    y = (logp - y_mu) / y_sd
    tr, va, te = slice(0, n_tr), slice(n_tr, n_tr + n_va), slice(n_tr + n_va, None)

    model = PriceModel(num.shape[1], 15)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    steps = -(-n_tr // args.batch_size)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, epochs=args.epochs, steps_per_epoch=steps)
    for epoch in range(args.epochs):
        model.train()
        for idx in torch.randperm(n_tr).split(args.batch_size):
            loss = F.smooth_l1_loss(model(num[tr][idx], dis[tr][idx]), y[tr][idx])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
        model.eval()
        with torch.no_grad():
            val = F.mse_loss(model(num[va], dis[va]), y[va]).item()
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1} last batch {loss.item():.4f} val mse {val:.4f}")

    with torch.no_grad():
        pred = model(num[te], dis[te]) * y_sd + y_mu
    true = logp[te]
    r2 = 1 - ((pred - true) ** 2).sum() / ((true - true.mean()) ** 2).sum()
    mape = ((pred.exp() - true.exp()).abs() / true.exp()).mean()
    print(f"test R2(log price) {r2:.4f}  MAPE {100 * mape:.2f}%")


if __name__ == "__main__":
    main()
