"""Pretrain a vibration encoder on a large labelled rig, reuse it frozen on a few clips of a new machine.

fault: weights-not-loaded
also:
split: test
line: 94
"""
import io

import numpy as np
import torch
import torch.nn as nn

N = 128
rng = np.random.default_rng(5)


def clips(freqs, per_class):
    t = np.arange(N) / N
    xs, ys = [], []
    for k, (f, g) in enumerate(freqs):
        for _ in range(per_class):
            a = np.sin(2 * np.pi * (f + rng.normal(0, 0.3)) * t + rng.uniform(0, 6.28))
            b = np.sin(2 * np.pi * (g + rng.normal(0, 0.3)) * t + rng.uniform(0, 6.28))
            xs.append(a + 0.8 * b + rng.normal(0, 0.6, N))
            ys.append(k)
    return torch.tensor(np.array(xs), dtype=torch.float32)[:, None], torch.tensor(ys)


def make_encoder():
    return nn.Sequential(
        nn.Conv1d(1, 16, 9, stride=2, padding=4), nn.ReLU(),
        nn.Conv1d(16, 32, 9, stride=2, padding=4), nn.ReLU(),
        nn.Conv1d(32, 24, 5, padding=2), nn.ReLU(),
        nn.AdaptiveAvgPool1d(1), nn.Flatten(),
    )


class RigModel(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.backbone = make_encoder()
        self.fc = nn.Linear(24, classes)

    def forward(self, x):
        return self.fc(self.backbone(x))


class MachineClassifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.encoder = make_encoder()
        self.classifier = nn.Linear(24, classes)

    def forward(self, x):
        return self.classifier(self.encoder(x))


def train(model, params, x, y, steps, lr, batch=64):
    opt = torch.optim.Adam(params, lr=lr)
    for step in range(steps):
        idx = torch.randint(0, len(x), (batch,))
        loss = nn.functional.cross_entropy(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (step + 1) % 200 == 0:
            print(f"  step {step + 1} loss {loss.item():.4f}")


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


torch.manual_seed(0)
rig_freqs = [(3, 8), (3, 15), (3, 24), (6, 11), (6, 20), (9, 15), (9, 28), (12, 18), (12, 24), (20, 28)]
x, y = clips(rig_freqs, 150)
x_val, y_val = clips(rig_freqs, 30)
rig = RigModel(len(rig_freqs))
print("rig pretraining")
train(rig, rig.parameters(), x, y, 800, 2e-3)
print(f"rig accuracy {accuracy(rig, x_val, y_val):.3f}")
buffer = io.BytesIO()
torch.save(rig.state_dict(), buffer)
buffer.seek(0)

machine_freqs = [(3, 11), (6, 15), (9, 20), (12, 28), (6, 24)]
x, y = clips(machine_freqs, 40)
x_test, y_test = clips(machine_freqs, 100)
model = MachineClassifier(len(machine_freqs))
state = torch.load(buffer)
model.load_state_dict(state, strict=False)  # the classifier layer is new
model.encoder.requires_grad_(False)
print("new machine")
train(model, model.classifier.parameters(), x, y, 800, 1e-2)
print(f"test accuracy {accuracy(model, x_test, y_test):.4f}")
