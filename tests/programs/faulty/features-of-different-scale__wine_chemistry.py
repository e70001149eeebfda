"""Three kinds of wine told apart by their chemistry, with a small network and SGD.

fault: features-of-different-scale
also: input-not-scaled
split: train
line: 19
"""

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(209)

x, y = load_wine(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.3, random_state=0, stratify=y)
x_train = torch.tensor(x_train, dtype=torch.float32)
x_test = torch.tensor(x_test, dtype=torch.float32)
y_train, y_test = torch.tensor(y_train), torch.tensor(y_test)

model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(40):
    for batch in torch.randperm(len(x_train)).split(16):
        optimizer.zero_grad()
        loss = criterion(model(x_train[batch]), y_train[batch])
        loss.backward()
        optimizer.step()
    if epoch % 10 == 9:
        with torch.no_grad():
            accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}, accuracy {accuracy:.3f}")
