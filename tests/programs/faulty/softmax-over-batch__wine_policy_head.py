"""Wine cultivars with a probability head and the log likelihood written out.

fault: softmax-over-batch
also:
split: test
line: 27
"""

import torch
from sklearn.datasets import load_wine
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)

wine = load_wine()
x = torch.from_numpy((wine.data - wine.data.mean(0)) / wine.data.std(0)).float()
y = torch.from_numpy(wine.target).long()
perm = torch.randperm(len(x))
train_idx, test_idx = perm[:130], perm[130:]


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(13, 24), nn.ReLU(), nn.Linear(24, 3))
        self.prob = nn.Softmax(dim=0)

    def forward(self, x):
        return self.prob(self.body(x))


model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(40):
    for rows in train_idx[torch.randperm(len(train_idx))].split(26):
        probability = model(x[rows]).clamp_min(1e-8)
        loss = -probability[torch.arange(len(rows)), y[rows]].log().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 8 == 7:
        with torch.no_grad():
            accuracy = sum((model(x[i : i + 1]).argmax(1) == y[i]).item() for i in test_idx.tolist()) / len(test_idx)
        print(f"epoch {epoch + 1}: nll {loss.item():.3f} accuracy {accuracy:.3f}")
