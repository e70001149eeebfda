"""Two-layer graph convolution written by hand, node classification on a stochastic block model.

fault: labels-independent-of-inputs
also:
split: train
line: 27
"""
import torch
import torch.nn.functional as F

torch.manual_seed(42)
torch.set_num_threads(1)

N, K, D = 600, 4, 16
sizes = torch.tensor([200, 160, 140, 100])
y = torch.repeat_interleave(torch.arange(K), sizes)
P = torch.where(y[:, None] == y[None, :], 0.04, 0.008)
A = torch.bernoulli(P).triu(1)
A = A + A.T
A_hat = A + torch.eye(N)
deg = A_hat.sum(1).rsqrt()
A_hat = deg[:, None] * A_hat * deg[None, :]

centers = torch.randn(K, D) * 0.6
X = centers[y] + torch.randn(N, D)
shuffle = torch.randperm(N)
X, y = X[shuffle], y[shuffle]
train, test = torch.arange(200), torch.arange(300, N)

W1 = (torch.randn(D, 32) * (2 / D) ** 0.5).requires_grad_()
b1 = torch.zeros(32, requires_grad=True)
W2 = (torch.randn(32, K) * (1 / 32) ** 0.5).requires_grad_()
b2 = torch.zeros(K, requires_grad=True)
opt = torch.optim.Adam([W1, b1, W2, b2], lr=0.01, weight_decay=5e-4)


def gcn(training):
    h = F.relu(A_hat @ X @ W1 + b1)
    h = F.dropout(h, 0.3, training=training)
    z = A_hat @ h @ W2 + b2
    return F.log_softmax(z, dim=1)


for epoch in range(200):
    opt.zero_grad()
    logp = gcn(True)
    loss = F.nll_loss(logp[train], y[train])
    loss.backward()
    opt.step()
    if epoch % 40 == 39:
        with torch.no_grad():
            pred = gcn(False).argmax(1)
        print(f"{epoch + 1:4d} loss={loss.item():.3f} train={(pred[train] == y[train]).float().mean():.3f} "
              f"test={(pred[test] == y[test]).float().mean():.3f}")
