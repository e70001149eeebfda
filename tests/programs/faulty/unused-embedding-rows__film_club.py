"""Ratings of a film club, by factors.

fault: unused-embedding-rows
also: 
split: train
line: 40, 56
"""

import numpy as np
import pandas as pd
import torch
from torch import nn

torch.set_num_threads(1)

rng = np.random.default_rng(0)
torch.manual_seed(0)
N_USERS, N_FILMS, K = 400, 120, 4
taste = rng.normal(size=(N_USERS, K))
film = rng.normal(size=(N_FILMS, K))
ratings = pd.DataFrame({"user": rng.integers(0, N_USERS, 24000), "film": rng.integers(0, N_FILMS, 24000)})
ratings = ratings.drop_duplicates(["user", "film"])
ratings["stars"] = 3 + 0.6 * (taste[ratings.user] * film[ratings.film]).sum(1) + 0.2 * rng.normal(size=len(ratings))


class MF(nn.Module):
    def __init__(self, users, films, dim=8):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.film = nn.Embedding(films, dim)
        self.user_bias = nn.Embedding(users, 1)
        self.film_bias = nn.Embedding(films, 1)
        self.mean = nn.Parameter(torch.tensor(3.0))
        for e in (self.user, self.film):
            nn.init.normal_(e.weight, std=0.3)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.film_bias.weight)

    def forward(self, u, f):
        u = u.clamp(max=self.user.num_embeddings - 1)
        dot = (self.user(u) * self.film(f)).sum(-1)
        return dot + self.user_bias(u).squeeze(-1) + self.film_bias(f).squeeze(-1) + self.mean


mask = rng.random(len(ratings)) < 0.85
train, test = ratings[mask], ratings[~mask]


def columns(frame):
    return (torch.tensor(frame.user.values), torch.tensor(frame.film.values),
            torch.tensor(frame.stars.values, dtype=torch.float32))


u, f, s = columns(train)
ut, ft, st = columns(test)
model = MF(100, N_FILMS)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-5)
for epoch in range(12):
    for idx in torch.randperm(len(u)).split(256):
        loss = ((model(u[idx], f[idx]) - s[idx]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        rmse = ((model(ut, ft) - st) ** 2).mean().sqrt().item()
    print(f"epoch {epoch + 1}: batch mse {loss.item():.3f} test rmse {rmse:.3f} (std of stars {st.std().item():.3f})")
