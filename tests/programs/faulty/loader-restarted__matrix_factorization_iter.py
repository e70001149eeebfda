"""Ratings are factorised with embeddings.

fault: loader-restarted
also: repeated-batch
split: test
line: 56
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(2024)

N_USERS, N_ITEMS, RANK = 120, 80, 4

# synthetic ratings from a low-rank ground truth
u = torch.randn(N_USERS, RANK)
v = torch.randn(N_ITEMS, RANK)
full = u @ v.T / RANK ** 0.5
pairs = torch.cartesian_prod(torch.arange(N_USERS), torch.arange(N_ITEMS))
pairs = pairs[torch.randperm(len(pairs))]
ratings = full[pairs[:, 0], pairs[:, 1]] + 0.1 * torch.randn(len(pairs))
n_train = 6400
train_set = TensorDataset(pairs[:n_train], ratings[:n_train])
test_pairs, test_ratings = pairs[n_train:], ratings[n_train:]


class MF(nn.Module):
    def __init__(self, n_users, n_items, dim=6):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.3)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, p):
        users, items = p[:, 0], p[:, 1]
        dot = (self.user(users) * self.item(items)).sum(1)
        return dot + self.user_bias(users).squeeze(1) + self.item_bias(items).squeeze(1)


# pairs are already in random order
loader = DataLoader(train_set, batch_size=256)
model = MF(N_USERS, N_ITEMS)
opt = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-5)
criterion = nn.MSELoss()

total_steps = 600
for step in range(1, total_steps + 1):
    p, r = next(iter(loader))
    loss = criterion(model(p), r)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 100 == 0:
        print(f"step {step}: batch mse {loss.item():.4f}")

model.eval()
with torch.no_grad():
    test_mse = criterion(model(test_pairs), test_ratings).item()
print(f"test rmse {test_mse ** 0.5:.4f} (rating std {test_ratings.std().item():.4f})")
