"""Blocks of a graph by a graph convolution, with patience.

split: train
"""

import numpy as np
import torch
import torch.nn as nn


def sbm(sizes, p_in, p_out, rng):
    y = np.repeat(np.arange(len(sizes)), sizes)
    prob = np.where(y[:, None] == y[None], p_in, p_out)
    a = np.triu(rng.random(prob.shape) < prob, 1)
    a = (a | a.T).astype("float32")
    x = rng.normal(0, 1.0, (len(y), 16)).astype("float32")
    x[np.arange(len(y)), y] += 1.2
    return torch.from_numpy(a), torch.from_numpy(x), torch.from_numpy(y)


def normalise(a):
    a = a + torch.eye(len(a))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None]


class GCN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.w1 = nn.Linear(n_in, n_hidden, bias=False)
        self.w2 = nn.Linear(n_hidden, n_out, bias=False)
        self.dropout = nn.Dropout(0.3)

    def forward(self, a, x):
        h = torch.relu(a @ self.w1(x))
        return torch.log_softmax(a @ self.w2(self.dropout(h)), dim=-1)


def main():
    rng = np.random.default_rng(12)
    torch.set_num_threads(1)
    torch.manual_seed(12)
    a, x, y = sbm([150] * 5, 0.06, 0.02, rng)
    a = normalise(a)
    perm = torch.from_numpy(rng.permutation(len(y)))
    train_idx, val_idx, test_idx = perm[:150], perm[150:350], perm[350:]

    model = GCN(16, 32, 5)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
    nll = nn.NLLLoss()
    best, bad_epochs, patience = float("inf"), 0, 15

    for epoch in range(400):
        model.train()
        optimizer.zero_grad()
        loss = nll(model(a, x)[train_idx], y[train_idx])
        loss.backward()
        optimizer.step()

        model.eval()
        with torch.no_grad():
            out = model(a, x)
            val_loss = nll(out[val_idx], y[val_idx]).item()
            val_acc = (out[val_idx].argmax(1) == y[val_idx]).float().mean().item()
        if epoch % 10 == 0:
            print(f"epoch {epoch:3d} train {loss.item():.4f} val {val_loss:.4f} acc {val_acc:.3f}")

        if val_loss < best:
            best = val_loss
            bad_epochs = 0
        else:
            bad_epochs += 1
            if bad_epochs >= patience:
                print("early stopping at epoch", epoch)
                break

    model.eval()
    with torch.no_grad():
        acc = (model(a, x)[test_idx].argmax(1) == y[test_idx]).float().mean().item()
    print(f"test accuracy {acc:.3f}")


main()
