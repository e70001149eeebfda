"""Kinds of wine by a small network; the rate falls when the evaluation no longer gets better.

fault: scheduler-too-often
also: 
split: train
line: 50
"""

import torch
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(4)
features, labels = load_wine(return_X_y=True)
tr_x, va_x, tr_y, va_y = train_test_split(features, labels, test_size=0.3, random_state=4, stratify=labels)
scaler = StandardScaler().fit(tr_x)
tr_x, va_x = (torch.tensor(scaler.transform(part), dtype=torch.float32) for part in (tr_x, va_x))
tr_y, va_y = torch.tensor(tr_y), torch.tensor(va_y)


class Trainer:
    def __init__(self, model, lr=0.02):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, "min", factor=0.2, patience=1)
        self.loader = DataLoader(TensorDataset(tr_x, tr_y), batch_size=16, shuffle=True)

    def epoch(self):
        self.model.train()
        for x, y in self.loader:
            self.optimizer.zero_grad()
            self.criterion(self.model(x), y).backward()
            self.optimizer.step()

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        scores = self.model(va_x)
        return {"loss": self.criterion(scores, va_y).item(), "accuracy": (scores.argmax(1) == va_y).float().mean().item()}

    def fit(self, epochs):
        for epoch in range(epochs):
            self.epoch()
            result = self.evaluate()
            self.plateau.step(result["accuracy"])
            print(f"epoch {epoch}: loss {result['loss']:.3f} accuracy {result['accuracy']:.3f}")


Trainer(nn.Sequential(nn.Linear(13, 16), nn.Tanh(), nn.Linear(16, 3))).fit(30)
