"""Matrix factorisation with biases on generated film ratings.

split: train
"""
import torch
import torch.nn as nn

torch.manual_seed(0)
N_USERS, N_FILMS, RANK = 300, 200, 4
u_true = torch.randn(N_USERS, RANK)
v_true = torch.randn(N_FILMS, RANK)
full = 3.2 + 0.35 * u_true @ v_true.T + 0.3 * torch.randn(N_USERS, 1) + 0.3 * torch.randn(1, N_FILMS)
users, films = torch.nonzero(torch.rand(N_USERS, N_FILMS) < 0.35, as_tuple=True)
ratings = full[users, films] + 0.2 * torch.randn(len(users))
perm = torch.randperm(len(users))
n_test = len(perm) // 5
test, train = perm[:n_test], perm[n_test:]
global_mean = ratings[train].mean().item()


class MF(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.u = nn.Embedding(N_USERS, rank)
        self.v = nn.Embedding(N_FILMS, rank)
        self.bu = nn.Embedding(N_USERS, 1)
        self.bv = nn.Embedding(N_FILMS, 1)
        for e in (self.u, self.v):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bv):
            nn.init.zeros_(e.weight)

    def forward(self, i, j):
        dot = (self.u(i) * self.v(j)).sum(-1)
        return global_mean + dot + self.bu(i).squeeze(-1) + self.bv(j).squeeze(-1)


model = MF(rank=6)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
l2 = 2e-3
for epoch in range(15):
    total = 0.0
    for idx in train[torch.randperm(len(train))].split(256):
        i, j = users[idx], films[idx]
        err = ((model(i, j) - ratings[idx]) ** 2).mean()
        reg = (model.u(i) ** 2).sum(1).mean() + (model.v(j) ** 2).sum(1).mean()
        loss = err + l2 * reg
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += err.item() * len(idx)
    with torch.no_grad():
        rmse = ((model(users[test], films[test]) - ratings[test]) ** 2).mean().sqrt().item()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} train rmse {(total / len(train)) ** 0.5:.4f} test rmse {rmse:.4f}")
print(f"rating std {ratings[test].std():.4f}, test rmse {rmse:.4f}")
