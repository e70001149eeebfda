"""A two-layer network on handwritten digits, trained with plain SGD and hand-made batches.

fault: gradients-not-zeroed
also:
split: train
line: 34
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)

images, labels = load_digits(return_X_y=True)
x = torch.tensor(images / 16.0, dtype=torch.float32)
x = (x - x.mean()) / x.std()
y = torch.tensor(labels)
order = torch.randperm(len(x))
x_train, y_train = x[order[:1400]], y[order[:1400]]
x_test, y_test = x[order[1400:]], y[order[1400:]]

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(12):
    shuffled = torch.randperm(len(x_train))
    running = 0.0
    for start in range(0, len(x_train), 64):
        index = shuffled[start : start + 64]
        loss = criterion(model(x_train[index]), y_train[index])
        loss.backward()
        optimizer.step()
        running += loss.item() * len(index)
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch}: loss {running / len(x_train):.4f}, test accuracy {accuracy:.3f}")
