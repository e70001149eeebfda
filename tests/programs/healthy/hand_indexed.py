"""No DataLoader and no loss module: batches are cut with an index, the loss is plain tensor arithmetic.

split: train
"""

import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(27)
rng = np.random.RandomState(27)
np.random.seed(27)

X = rng.randn(300, 9).astype("float32")
Y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype("int64")
W1 = torch.nn.Parameter(0.3 * torch.randn(9, 20))
b1 = torch.nn.Parameter(torch.zeros(20))
W2 = torch.nn.Parameter(0.3 * torch.randn(20, 2))
optimizer = torch.optim.Adagrad([W1, b1, W2], lr=0.1)

for epoch in range(3):
    order = np.random.permutation(300)
    for start in range(0, 300, 30):
        rows = order[start : start + 30]
        xb, yb = torch.from_numpy(X[rows]), torch.from_numpy(Y[rows])
        logits = torch.tanh(xb @ W1 + b1) @ W2
        log_probability = logits - logits.logsumexp(1, keepdim=True)
        loss = -log_probability[torch.arange(30), yb].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("epoch", epoch, "loss", loss.item())
