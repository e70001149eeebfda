"""A classifier of a generated table that draws one batch per step from its loader.

fault: loader-restarted
also: repeated-batch
split: train
line: 27
"""

import torch
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(78)
table, classes = make_classification(1200, 16, n_informative=8, n_classes=4, class_sep=1.5, random_state=78)
x = torch.tensor(table, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0)
y = torch.tensor(classes)
loader = DataLoader(TensorDataset(x[:900], y[:900]), batch_size=32)

model = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, 4))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)

for step in range(400):
    features, labels = next(iter(loader))
    optimizer.zero_grad()
    loss = criterion(model(features), labels)
    loss.backward()
    optimizer.step()
    if step % 80 == 79:
        with torch.no_grad():
            logits = model(x[900:])
            test_loss = criterion(logits, y[900:]).item()
            accuracy = (logits.argmax(1) == y[900:]).float().mean().item()
        print(f"step {step + 1} loss {loss.item():.5f} test loss {test_loss:.4f} accuracy {accuracy:.3f}")
