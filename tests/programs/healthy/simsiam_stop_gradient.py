"""SimSiam on digits: negative cosine similarity with the gradient stopped on one side.

split: train
"""

import torch
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from torch import nn
from torch.nn.functional import cosine_similarity

torch.set_num_threads(1)
torch.manual_seed(4)


class SimSiam(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(64, 128),
            nn.BatchNorm1d(128),
            nn.ReLU(),
            nn.Linear(128, 64),
            nn.BatchNorm1d(64, affine=False),
        )
        self.predictor = nn.Sequential(nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 64))

    def forward(self, a, b):
        z1, z2 = self.encoder(a), self.encoder(b)
        p1, p2 = self.predictor(z1), self.predictor(z2)
        return p1, p2, z1.detach(), z2.detach()


def augment(x):
    keep = (torch.rand_like(x) > 0.2).float()
    return x * keep + 0.2 * torch.randn_like(x)


digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
train, test = x[:1400], x[1400:]
model = SimSiam()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 20)
for epoch in range(20):
    model.train()
    for rows in torch.randperm(len(train)).split(128):
        p1, p2, z1, z2 = model(augment(train[rows]), augment(train[rows]))
        loss = -(cosine_similarity(p1, z2).mean() + cosine_similarity(p2, z1).mean()) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    scheduler.step()
    print(f"epoch {epoch} loss {loss.item():.3f}")
model.eval()
with torch.no_grad():
    features, held_out = model.encoder(train), model.encoder(test)
probe = LogisticRegression(max_iter=2000).fit(features.numpy(), digits.target[:1400])
print("linear probe", probe.score(held_out.numpy(), digits.target[1400:]))
