"""LSTM that judges whether a token stream is balanced towards positive words.

fault: parameters-reset
also:
split: test
line: 45
"""
import torch
import torch.nn as nn

torch.manual_seed(15)
torch.set_num_threads(1)
V, L = 60, 18


def make(n):
    x = torch.randint(0, V, (n, L))
    val = torch.linspace(-1, 1, V)[torch.randperm(V, generator=torch.Generator().manual_seed(0))]
    y = (val[x].sum(1) > 0).long()
    return x, y


class LSTMClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(V, 16)
        self.lstm = nn.LSTM(16, 24, batch_first=True)
        self.fc = nn.Linear(24, 2)

    def forward(self, x):
        out, _ = self.lstm(self.embedding(x))
        return self.fc(out.mean(1))


def weight_init(m):
    for name, p in m.named_parameters(recurse=False):
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
        else:
            nn.init.zeros_(p)


def train_one_epoch(model, optimizer, x, y):
    model.train()
    model.apply(weight_init)
    total = 0
    for idx in torch.randperm(len(x)).split(64):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[idx]), y[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    return total / len(x)


def test(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


x, y = make(1500)
xt, yt = make(400)
model = LSTMClassifier()
model.apply(weight_init)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(10):
    loss = train_one_epoch(model, optimizer, x, y)
    print(f"Epoch {epoch}: loss={loss:.4f} test_acc={test(model, xt, yt):.4f}")
