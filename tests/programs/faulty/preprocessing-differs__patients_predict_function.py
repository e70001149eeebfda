"""Cancer screening with a Dataset class for training and a separate predict function.

fault: preprocessing-differs
also:
split: test
line: 38
"""

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(23)

raw = load_breast_cancer()
x_tr, x_te, y_tr, y_te = train_test_split(raw.data, raw.target, random_state=0, stratify=raw.target)


class Patients(Dataset):
    def __init__(self, table, labels):
        self.mean, self.std = table.mean(0), table.std(0)
        self.table, self.labels = table, labels

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        row = (self.table[i] - self.mean) / self.std
        return torch.tensor(row, dtype=torch.float32), torch.tensor(self.labels[i], dtype=torch.float32)


def predict(model, table):
    model.eval()
    with torch.no_grad():
        return (model(torch.tensor(table, dtype=torch.float32)).squeeze(1) > 0).long().numpy()


model = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
criterion = nn.BCEWithLogitsLoss()
patients = Patients(x_tr, y_tr)
for epoch in range(15):
    model.train()
    for x, y in DataLoader(patients, batch_size=32, shuffle=True):
        loss = criterion(model(x).squeeze(1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.3f} test accuracy {(predict(model, x_te) == y_te).mean():.3f}")
