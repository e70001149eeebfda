"""Step-based training of a glyph classifier on letters drawn as strokes.

fault: loader-restarted
also: repeated-batch
split: test
line: 30
"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(17)
torch.set_num_threads(1)
glyphs = (torch.rand(12, 7, 7) < 0.4).float()


def draw(n):
    y = torch.randint(0, 12, (n,))
    x = glyphs[y] + 0.9 * torch.randn(n, 7, 7)
    return x.flatten(1), y


train_loader = DataLoader(TensorDataset(*draw(1600)), batch_size=24)
test_x, test_y = draw(500)
model = nn.Sequential(nn.Linear(49, 40), nn.PReLU(), nn.Linear(40, 12))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
max_steps = 500

for step in range(1, max_steps + 1):
    x, y = next(iter(train_loader))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        with torch.no_grad():
            acc = (model(test_x).argmax(1) == test_y).float().mean().item()
        print(f"step {step}/{max_steps} loss {loss.item():.4f} test accuracy {acc:.4f}")
