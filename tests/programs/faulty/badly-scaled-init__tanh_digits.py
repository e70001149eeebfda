"""Fully connected digits classifier with its own weight initialisation.

fault: badly-scaled-init
also: saturated-activation
split: train
line: 24
"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.set_num_threads(1)
torch.manual_seed(66)
X, y = load_digits(return_X_y=True)
X = (X - 8.0) / 6.0
Xtr, Xte, ytr, yte = [torch.tensor(v) for v in train_test_split(X, y, test_size=0.3, random_state=6)]
Xtr, Xte = Xtr.float(), Xte.float()


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight)
        nn.init.zeros_(m.bias)


model = nn.Sequential(
    nn.Linear(64, 128), nn.Tanh(),
    nn.Linear(128, 128), nn.Tanh(),
    nn.Linear(128, 128), nn.Tanh(),
    nn.Linear(128, 10),
)
model.apply(init_weights)
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
loader = DataLoader(TensorDataset(Xtr, ytr), batch_size=32, shuffle=True)
for epoch in range(10):
    avg = 0
    for xb, yb in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        opt.step()
        avg += loss.item() / len(loader)
    with torch.no_grad():
        acc = (model(Xte).argmax(1) == yte).float().mean().item()
    print(f"{epoch=} {avg=:.4f} {acc=:.4f}")
