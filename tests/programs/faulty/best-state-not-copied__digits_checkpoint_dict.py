"""Few digits with some wrong labels; the epoch with the best validation accuracy is put into a checkpoint and used.

fault: best-state-not-copied
also: overfitting, too-few-examples
split: test
line: 48
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(12)

digits = load_digits()
images = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
labels = torch.tensor(digits.target)
order = torch.randperm(len(labels))
images, labels = images[order], labels[order]
noisy = labels[:500].clone()
wrong = torch.rand(500) < 0.4
noisy[wrong] = torch.randint(0, 10, (int(wrong.sum()),))
train_loader = DataLoader(TensorDataset(images[:500], noisy), batch_size=25, shuffle=True)
val = images[500:900], labels[500:900]
test = images[900:], labels[900:]


@torch.no_grad()
def score(model, data):
    model.eval()
    logits = model(data[0])
    return F.cross_entropy(logits, data[1]).item(), (logits.argmax(1) == data[1]).float().mean().item()


model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
checkpoint = {"epoch": -1, "accuracy": 0.0}
for epoch in range(40):
    model.train()
    for batch, target in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(model(batch), target).backward()
        optimizer.step()
    val_loss, accuracy = score(model, val)
    if accuracy > checkpoint["accuracy"]:
        checkpoint = {"epoch": epoch, "accuracy": accuracy, "model": model.state_dict()}
    if epoch % 10 == 0:
        print(f"epoch {epoch}: validation loss {val_loss:.3f} accuracy {accuracy:.3f}")

model.load_state_dict(checkpoint["model"])
print(f"epoch {checkpoint['epoch']} was the best with {checkpoint['accuracy']:.3f}; test {score(model, test)[1]:.3f}")
