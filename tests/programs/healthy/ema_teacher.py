"""A mean teacher.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_moons
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.set_num_threads(1)
torch.manual_seed(19)

# mean teacher: 60 labelled points, 1500 unlabelled ones
X, y = make_moons(n_samples=2500, noise=0.12, random_state=19)
X = torch.tensor(X, dtype=torch.float32)
X = (X - X.mean(0)) / X.std(0)
y = torch.tensor(y)
lab_x, lab_y = X[:60], y[:60]
unl_x = X[60:1560]
test_x, test_y = X[1560:], y[1560:]

student = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
teacher = AveragedModel(student, multi_avg_fn=get_ema_multi_avg_fn(0.97))
optimizer = torch.optim.Adam(student.parameters(), lr=3e-3)
TOTAL = 700


def jitter(x, s=0.08):
    return x + s * torch.randn_like(x)


def accuracy(m):
    was_training = m.training
    m.eval()
    with torch.no_grad():
        acc = (m(test_x).argmax(1) == test_y).float().mean().item()
    m.train(was_training)
    return acc


student.train()
teacher.eval()
for step in range(1, TOTAL + 1):
    ub = unl_x[torch.randint(0, len(unl_x), (128,))]
    lb = torch.randint(0, len(lab_x), (32,))
    sup = F.cross_entropy(student(jitter(lab_x[lb])), lab_y[lb])
    with torch.no_grad():
        soft = teacher(jitter(ub)).softmax(-1)
    cons = F.mse_loss(student(jitter(ub)).softmax(-1), soft)
    ramp = min(1.0, step / 200)
    loss = sup + 2.0 * ramp * cons
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    teacher.update_parameters(student)
    if step % 100 == 0:
        print(f"step {step} sup {sup.item():.4f} cons {cons.item():.4f} student {accuracy(student):.3f} teacher {accuracy(teacher):.3f}")
