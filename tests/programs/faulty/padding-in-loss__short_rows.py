"""Tags of words in rows of different lengths.

fault: padding-in-loss
also: 
split: test
line: 62
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
PAD, VOCAB, TAGS, MAXLEN = 0, 60, 5, 40


def make_corpus(n, seed):
    """The tag of a word depends on the word and on the word before it."""
    g = torch.Generator().manual_seed(seed)
    words = torch.zeros(n, MAXLEN, dtype=torch.long)
    tags = torch.zeros(n, MAXLEN, dtype=torch.long)
    for i in range(n):
        length = int(torch.randint(3, 8, (1,), generator=g))
        if torch.rand(1, generator=g) < 0.03:
            length = MAXLEN
        w = torch.randint(1, VOCAB, (length,), generator=g)
        prev = torch.cat([torch.zeros(1, dtype=torch.long), w[:-1]])
        words[i, :length] = w
        tags[i, :length] = 1 + (w % 2) * 2 + (prev % 2)
    return words, tags


class Tagger(nn.Module):
    def __init__(self, emb=24, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, emb, padding_idx=PAD)
        self.rnn = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, TAGS)

    def forward(self, w):
        h, _ = self.rnn(self.emb(w))
        return self.out(h)


def evaluate(model, words, tags):
    model.eval()
    with torch.no_grad():
        pred = model(words).argmax(-1)
    mask = words != PAD
    return (pred == tags)[mask].float().mean().item()


def train(model, words, tags, dev, epochs=5, batch_size=32, lr=2e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        order = torch.randperm(len(words))
        total, count = 0.0, 0
        for chunk in order.split(batch_size):
            w, t = words[chunk], tags[chunk]
            logits = model(w)
            loss = F.cross_entropy(logits.reshape(-1, TAGS), t.reshape(-1))
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item()
            count += 1
        print(f"epoch {epoch + 1} loss {total / count:.4f} dev tag accuracy {evaluate(model, *dev):.4f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    train_words, train_tags = make_corpus(800, seed=10)
    dev = make_corpus(200, seed=11)
    train(Tagger(), train_words, train_tags, dev)
