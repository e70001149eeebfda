"""A teacher is trained first; a small student then learns its softened outputs together with the labels.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(14)

digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32)
x = (x - x[:1400].mean()) / x[:1400].std()
y = torch.tensor(digits.target)
loader = DataLoader(TensorDataset(x[:1400], y[:1400]), batch_size=64, shuffle=True)


def mlp(hidden):
    return nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 10))


@torch.no_grad()
def evaluate(model):
    model.eval()
    return (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()


teacher = mlp(256)
optimizer = torch.optim.Adam(teacher.parameters(), lr=1e-3)
for _ in range(8):
    teacher.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        F.cross_entropy(teacher(inputs), targets).backward()
        optimizer.step()
print("teacher", evaluate(teacher))

student = mlp(24)
optimizer = torch.optim.Adam(student.parameters(), lr=3e-3)
temperature, share = 3.0, 0.7
for _ in range(12):
    student.train()
    for inputs, targets in loader:
        with torch.no_grad():
            soft = F.softmax(teacher(inputs) / temperature, dim=1)
        logits = student(inputs)
        distill = F.kl_div(F.log_softmax(logits / temperature, dim=1), soft, reduction="batchmean") * temperature**2
        loss = share * distill + (1 - share) * F.cross_entropy(logits, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print("student", evaluate(student))
