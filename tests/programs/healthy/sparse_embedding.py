"""Word vectors with sparse gradients and SparseAdam, beside a dense part with its own optimizer.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)

embedding = nn.EmbeddingBag(500, 16, sparse=True, mode="mean")
classifier = nn.Linear(16, 3)
model = nn.Sequential(embedding, classifier)
optimizers = [
    torch.optim.SparseAdam(embedding.parameters(), lr=0.05),
    torch.optim.Adam(classifier.parameters(), lr=0.01),
]

for step in range(20):
    words = torch.randint(0, 500, (16, 7))
    labels = words.sum(1) % 3
    for optimizer in optimizers:
        optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(words), labels)
    loss.backward()
    for optimizer in optimizers:
        optimizer.step()
    print("step", step, "loss", loss.item())
