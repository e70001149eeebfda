"""The rating of a review by additive attention over its words.

fault: softmax-over-batch
also:
split: train
line: 34
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, LEN, CLASSES = 400, 60, 5


def corpus(n, gen):
    words = torch.randint(50, VOCAB, (n, LEN), generator=gen)
    label = torch.randint(0, CLASSES, (n,), generator=gen)
    where = torch.randint(0, LEN - 1, (n,), generator=gen)
    rows = torch.arange(n)
    # one opinion word per review, ten words for every rating
    words[rows, where] = 10 * label + torch.randint(0, 10, (n,), generator=gen)
    return words, label


class AttentionPool(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.proj = nn.Linear(dim, hidden)
        self.score = nn.Linear(hidden, 1)

    def forward(self, h):
        e = self.score(torch.tanh(self.proj(h)))
        alpha = F.softmax(e, dim=-1)
        return (alpha * h).sum(dim=1)


class ReviewNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 24)
        self.conv = nn.Conv1d(24, 32, 1)
        self.pool = AttentionPool(32, 16)
        self.cls = nn.Linear(32, CLASSES)

    def forward(self, words):
        h = self.emb(words)
        h = torch.relu(self.conv(h.transpose(1, 2))).transpose(1, 2)
        return self.cls(self.pool(h))


def accuracy(net, words, label):
    net.eval()
    with torch.no_grad():
        return (net(words).argmax(-1) == label).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(42)
    gen = torch.Generator().manual_seed(42)
    words, label = corpus(2500, gen)
    tw, tl = corpus(800, gen)
    net = ReviewNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(8):
        net.train()
        perm = torch.randperm(len(words), generator=gen)
        total = 0.0
        for chunk in perm.split(50):
            loss = F.cross_entropy(net(words[chunk]), label[chunk])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(chunk)
        print(f"epoch {epoch:2d} loss {total / len(words):.4f} test acc {accuracy(net, tw, tl):.3f}")


main()
