"""Learning-to-rank with pairwise comparisons of documents.

fault: step-before-backward
also: gradients-zeroed-before-step
split: train
line: 34
"""
import torch


def scorer(params, x):
    (w1, b1), (w2, b2) = params
    return (torch.relu(x @ w1 + b1) @ w2 + b2).squeeze(-1)


def main():
    torch.manual_seed(40)
    torch.set_num_threads(1)
    docs = torch.randn(3000, 10)
    rel = docs[:, 0] + 0.7 * docs[:, 1].abs() - 0.5 * docs[:, 2] + 0.1 * torch.randn(3000)
    train, test = torch.arange(2400), torch.arange(2400, 3000)
    params = [(torch.randn(10, 32).mul(0.4).requires_grad_(), torch.zeros(32, requires_grad=True)),
              (torch.randn(32, 1).mul(0.2).requires_grad_(), torch.zeros(1, requires_grad=True))]
    opt = torch.optim.Adam([t for pair in params for t in pair], lr=5e-3)
    ta, tb = test[torch.randperm(600)], test[torch.randperm(600)]
    keep = ta != tb
    ta, tb = ta[keep], tb[keep]
    for it in range(800):
        a, b = train[torch.randint(0, 2400, (64,))], train[torch.randint(0, 2400, (64,))]
        sign = torch.where(rel[a] > rel[b], 1.0, -1.0)
        margin = sign * (scorer(params, docs[a]) - scorer(params, docs[b]))
        loss = torch.nn.functional.softplus(-margin).mean()
        opt.zero_grad()
        opt.step()
        loss.backward()
        if it % 160 == 159:
            with torch.no_grad():
                right = (scorer(params, docs[ta]) > scorer(params, docs[tb])) == (rel[ta] > rel[tb])
            print(f"it {it + 1} loss {loss.item():.4f} test pair accuracy {right.float().mean():.4f}")


main()
