"""Autoencoder with a 24-bit code: sign in the forward pass, clipped identity in the backward pass.

split: train
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * (x.abs() <= 1).to(grad.dtype)


class CodeAE(nn.Module):
    def __init__(self, bits=24):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, bits), nn.BatchNorm1d(bits))
        self.dec = nn.Sequential(nn.Linear(bits, 96), nn.ReLU(), nn.Linear(96, 64))

    def forward(self, x):
        code = Binarize.apply(self.enc(x))
        return self.dec(code), code


def main():
    torch.manual_seed(0)
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    train, test = train_test_split(x, test_size=0.2, random_state=0)
    model = CodeAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 60)
    for epoch in range(1, 61):
        model.train()
        total = 0.0
        for xb in train[torch.randperm(len(train))].split(64):
            out, _ = model(xb)
            loss = F.mse_loss(out, xb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        sched.step()
        if epoch % 10 == 0:
            print(f"epoch {epoch} train mse {total / len(train):.5f}")
    model.eval()
    with torch.no_grad():
        out, code = model(test)
        mse = F.mse_loss(out, test).item()
        base = F.mse_loss(train.mean(0).expand_as(test), test).item()
    print(f"test mse {mse:.5f} (mean image {base:.5f}), explained {1 - mse / base:.4f}")


if __name__ == "__main__":
    main()
