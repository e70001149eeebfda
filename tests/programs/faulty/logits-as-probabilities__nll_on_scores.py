"""A classifier of generated clusters with scores straight from the last linear layer.

fault: logits-as-probabilities
also: missing-log
split: train
line: 21
"""

import torch
from sklearn.datasets import make_blobs
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(109)
points, clusters = make_blobs(1500, n_features=4, centers=20, cluster_std=1.2, random_state=1)
x = torch.tensor(points, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(clusters) % 5

net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 5))
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.5)

for step in range(400):
    rows = torch.randint(0, 1200, (64,))
    scores = net(x[rows])
    loss = criterion(scores, y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 49:
        with torch.no_grad():
            accuracy = (net(x[1200:]).argmax(1) == y[1200:]).float().mean().item()
        print(f"step {step + 1}: loss {loss.item():.4f} test accuracy {accuracy:.3f}")
