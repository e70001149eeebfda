"""Wine classifier with patience-based early stopping and restoring of the best weights.

split: test
"""
import copy
import torch
from torch import nn
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

torch.manual_seed(5)
torch.set_num_threads(1)


class EarlyStopper:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.state = patience, float("inf"), 0, None

    def update(self, value, model):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


X, y = load_wine(return_X_y=True)
X1, X_te, y1, y_te = train_test_split(X, y, test_size=0.3, random_state=5, stratify=y)
X_tr, X_va, y_tr, y_va = train_test_split(X1, y1, test_size=0.25, random_state=5, stratify=y1)
m, s = X_tr.mean(0), X_tr.std(0)
T = lambda a: torch.tensor((a - m) / s, dtype=torch.float32)
X_tr, X_va, X_te = T(X_tr), T(X_va), T(X_te)
y_tr, y_va, y_te = map(torch.tensor, (y_tr, y_va, y_te))
net = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 3))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
ce = nn.CrossEntropyLoss()
stop = EarlyStopper(15)
for epoch in range(300):
    net.train()
    for i in torch.randperm(len(X_tr)).split(16):
        opt.zero_grad()
        ce(net(X_tr[i]), y_tr[i]).backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        v = ce(net(X_va), y_va).item()
    if epoch % 10 == 0:
        print(f"epoch {epoch} val loss {v:.4f}")
    if stop.update(v, net):
        print("stopped at epoch", epoch)
        break
net.load_state_dict(stop.state)
net.eval()
with torch.no_grad():
    print("test accuracy %.4f" % (net(X_te).argmax(1) == y_te).float().mean())
