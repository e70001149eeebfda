"""Tabular data with categorical embeddings, DataLoader with two workers, from a pandas frame.

split: test
"""

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

CITIES = ["Oslo", "Lima", "Kyoto", "Accra", "Quito", "Perth"]
JOBS = ["nurse", "cook", "driver", "clerk"]


def make_frame(n, seed):
    rng = np.random.default_rng(seed)
    df = pd.DataFrame({"age": rng.integers(18, 70, n), "income": rng.lognormal(10, 0.5, n),
                       "city": rng.choice(CITIES, n), "job": rng.choice(JOBS, n)})
    effect = df.city.map(dict(zip(CITIES, [1.5, -1.2, 0.4, -0.3, 0.9, -1.5]))) * 1.6
    effect += df.job.map(dict(zip(JOBS, [1.0, -0.6, 0.5, -1.2])))
    z = effect + 0.05 * (df.age - 44) + 1.5 * (np.log(df.income) - 10)
    df["bought"] = (rng.random(n) < 1 / (1 + np.exp(-2 * z))).astype(int)
    return df, z


class People(Dataset):
    def __init__(self, df, stats):
        num = np.stack([df.age.values, np.log(df.income.values)], 1)
        self.num = torch.tensor((num - stats[0]) / stats[1], dtype=torch.float32)
        self.cat = torch.tensor(np.stack([pd.Categorical(df.city, CITIES).codes, pd.Categorical(df.job, JOBS).codes], 1),
                                dtype=torch.long)
        self.y = torch.tensor(df.bought.values.copy(), dtype=torch.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.num[i], self.cat[i], self.y[i]


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.city, self.job = nn.Embedding(len(CITIES), 4), nn.Embedding(len(JOBS), 3)
        self.mlp = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def forward(self, num, cat):
        return self.mlp(torch.cat([num, self.city(cat[:, 0]), self.job(cat[:, 1])], 1)).squeeze(1)


if __name__ == "__main__":
    torch.manual_seed(37)
    df, z = make_frame(3500, 37)
    tr_df, te_df = df.iloc[:2800], df.iloc[2800:]
    num = np.stack([tr_df.age.values, np.log(tr_df.income.values)], 1)
    stats = (num.mean(0), num.std(0))
    train = DataLoader(People(tr_df, stats), batch_size=100, shuffle=True, num_workers=2, persistent_workers=True)
    test = People(te_df, stats)
    model = Model()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    EPOCHS = 15
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
    bce = nn.BCEWithLogitsLoss()
    for ep in range(EPOCHS):
        model.train()
        tot = 0.0
        for n, c, y in train:
            opt.zero_grad()
            loss = bce(model(n, c), y)
            loss.backward()
            opt.step()
            tot += loss.item() * len(y)
        sched.step()
        model.eval()
        with torch.no_grad():
            o = model(test.num, test.cat)
            acc = ((o > 0) == (test.y > 0.5)).float().mean().item()
        print(f"epoch {ep + 1} train {tot / len(tr_df):.4f} test {bce(o, test.y).item():.4f} acc {acc:.4f}")
    print("accuracy of the true rule on the test rows:", round(((z.iloc[2800:] > 0) == (te_df.bought == 1)).mean(), 4))
