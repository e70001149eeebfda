"""Gaussian mixture fitted by gradient descent on the log-likelihood (log densities are often positive here).

split: train
"""
import math

import torch
import torch.nn as nn


class GMM(nn.Module):
    def __init__(self, data, k):
        super().__init__()
        d = data.shape[1]
        # k-means++ like seeding
        centres = [data[torch.randint(len(data), (1,)).item()]]
        for _ in range(k - 1):
            dist = torch.cdist(data, torch.stack(centres)).min(1).values
            centres.append(data[torch.multinomial(dist ** 2, 1).item()])
        self.mu = nn.Parameter(torch.stack(centres).clone())
        self.log_diag = nn.Parameter(torch.full((k, d), math.log(0.1)))
        self.lower = nn.Parameter(torch.zeros(k, d, d))
        self.logit = nn.Parameter(torch.zeros(k))

    def log_prob(self, x):
        scale = torch.tril(self.lower, -1) + torch.diag_embed(self.log_diag.exp())
        comp = torch.distributions.MultivariateNormal(self.mu, scale_tril=scale)
        return torch.logsumexp(torch.log_softmax(self.logit, 0) + comp.log_prob(x[:, None]), dim=1)


torch.manual_seed(6)
K = 4
true_mu = torch.tensor([[0.0, 0.0], [0.6, 0.2], [-0.3, 0.7], [0.3, -0.6]])
true_L = 0.04 * torch.tensor([[[1.0, 0], [0.5, 0.5]], [[0.6, 0], [-0.4, 1.0]], [[1.2, 0], [0, 0.4]], [[0.5, 0], [0.3, 0.9]]])
weights = torch.tensor([0.4, 0.3, 0.2, 0.1])
truth = torch.distributions.MixtureSameFamily(torch.distributions.Categorical(weights),
                                              torch.distributions.MultivariateNormal(true_mu, scale_tril=true_L))
train, test = truth.sample((2000,)), truth.sample((1000,))

gmm = GMM(train, K)
opt = torch.optim.Adam(gmm.parameters(), lr=0.02)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=15, threshold=1e-4, threshold_mode="abs")
for it in range(1, 401):
    loss = -gmm.log_prob(train).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step(loss.item())
    if it % 50 == 0:
        print(f"iter {it} negative log-likelihood {loss.item():.4f} lr {opt.param_groups[0]['lr']:.4f}")

with torch.no_grad():
    print(f"test log-likelihood: fitted {gmm.log_prob(test).mean():.4f}, true density {truth.log_prob(test).mean():.4f}")
    print("weights", [round(w, 3) for w in sorted(gmm.logit.softmax(0).tolist(), reverse=True)])
