"""Click prediction from user and item ids by a two-tower dot product.

fault: double-sigmoid
also:
split: test
line: 38
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(13)
USERS, ITEMS = 200, 150

taste = torch.randn(USERS, 3)
kind = torch.randn(ITEMS, 3)
users = torch.randint(USERS, (12000,))
items = torch.randint(ITEMS, (12000,))
clicked = ((taste[users] * kind[items]).sum(1) - 1.5 > 0).float()
train, test = slice(0, 10000), slice(10000, 12000)


class TwoTower(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.user = nn.Embedding(USERS, dim)
        self.item = nn.Embedding(ITEMS, dim)
        self.user_bias = nn.Embedding(USERS, 1)
        self.item_bias = nn.Embedding(ITEMS, 1)
        nn.init.normal_(self.user.weight, std=0.2)
        nn.init.normal_(self.item.weight, std=0.2)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, i):
        score = (self.user(u) * self.item(i)).sum(-1) + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)
        return torch.sigmoid(score)


model = TwoTower()
loss_fn = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(8):
    order = torch.randperm(10000)
    mean = 0.0
    for rows in order.split(100):
        loss = loss_fn(model(users[train][rows], items[train][rows]), clicked[train][rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean += loss.item() / 100
    with torch.no_grad():
        guess = model(users[test], items[test]).sigmoid() > 0.5
    right = (guess == clicked[test].bool()).float().mean()
    print(f"epoch {epoch} loss {mean:.3f} accuracy {right:.3f} base rate {1 - clicked[test].mean():.3f}")
