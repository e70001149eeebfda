"""A multilayer perceptron with a gradient scaler and clipping.

fault: clip-before-unscale
also: 
split: test
line: 61
"""

from dataclasses import dataclass

import torch
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    seed: int = 21
    lr: float = 0.1
    momentum: float = 0.9
    epochs: int = 10
    batch_size: int = 64
    max_norm: float = 1.0
    hidden: int = 96
    device: str = "cpu"


cfg = Config()
torch.set_num_threads(1)
torch.manual_seed(cfg.seed)

X, y = make_classification(n_samples=3000, n_features=24, n_informative=12, n_redundant=4,
                           n_classes=4, n_clusters_per_class=1, class_sep=1.5, flip_y=0.0, random_state=cfg.seed)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.2, random_state=1)
scaler_x = StandardScaler().fit(X_tr)
to_t = lambda a: torch.tensor(a, dtype=torch.float32)
train_dl = DataLoader(TensorDataset(to_t(scaler_x.transform(X_tr)), torch.tensor(y_tr)),
                      batch_size=cfg.batch_size, shuffle=True, drop_last=True)
test_x, test_y = to_t(scaler_x.transform(X_te)), torch.tensor(y_te)

model = nn.Sequential(
    nn.Linear(24, cfg.hidden), nn.LayerNorm(cfg.hidden), nn.GELU(),
    nn.Linear(cfg.hidden, cfg.hidden), nn.LayerNorm(cfg.hidden), nn.GELU(),
    nn.Linear(cfg.hidden, 4),
).to(cfg.device)
optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum)
criterion = nn.CrossEntropyLoss()
grad_scaler = torch.amp.GradScaler(cfg.device)

for epoch in range(cfg.epochs):
    model.train()
    epoch_loss = 0.0
    for xb, yb in train_dl:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type=cfg.device, dtype=torch.bfloat16):
            loss = criterion(model(xb), yb)
        grad_scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), cfg.max_norm)
        grad_scaler.step(optimizer)
        grad_scaler.update()
        epoch_loss += loss.item()

    model.eval()
    with torch.no_grad(), torch.autocast(device_type=cfg.device, dtype=torch.bfloat16):
        test_acc = (model(test_x).argmax(-1) == test_y).float().mean().item()
    print(f"epoch {epoch:02d} loss {epoch_loss / len(train_dl):.4f} test_acc {test_acc:.4f}")
