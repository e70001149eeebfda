"""BiLSTM-CRF for BIO tagging; forbidden transitions are masked with -inf-like scores.

split: train
"""
import random

import torch
import torch.nn as nn

TAGS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
T = {t: i for i, t in enumerate(TAGS)}
FIRST, LAST = "anna boris clara david elena frank".split(), "stone rivers hill woods lake field".split()
PLACE = "north stone lake new rivers hill".split()
SUFFIX = "city bay park harbour".split()
OTHER = "we met saw near went to with and then left for the of today".split()


def sentence(rng):
    words, tags = [], []
    for _ in range(rng.randint(2, 4)):
        for _ in range(rng.randint(1, 3)):
            words.append(rng.choice(OTHER)); tags.append("O")
        if rng.random() < 0.5:
            words += [rng.choice(FIRST), rng.choice(LAST)]; tags += ["B-PER", "I-PER"]
        else:
            words += [rng.choice(PLACE), rng.choice(SUFFIX)]; tags += ["B-LOC", "I-LOC"]
    return words, [T[t] for t in tags]


class CRF(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.trans = nn.Parameter(torch.zeros(n, n))      # [from, to]
        self.start = nn.Parameter(torch.zeros(n))
        bad = torch.zeros(n, n, dtype=torch.bool)
        bad_start = torch.zeros(n, dtype=torch.bool)
        for b, name in enumerate(TAGS):
            if name.startswith("I-"):
                bad_start[b] = True
                for a, prev in enumerate(TAGS):
                    bad[a, b] = prev[2:] != name[2:]
        self.register_buffer("bad", bad)
        self.register_buffer("bad_start", bad_start)

    def scores(self):
        return self.trans.masked_fill(self.bad, -1e4), self.start.masked_fill(self.bad_start, -1e4)

    def nll(self, em, tags, mask):
        trans, start = self.scores()
        B, L, _ = em.shape
        alpha = start + em[:, 0]
        gold = start[tags[:, 0]] + em[:, 0].gather(1, tags[:, :1]).squeeze(1)
        for i in range(1, L):
            nxt = torch.logsumexp(alpha.unsqueeze(2) + trans, dim=1) + em[:, i]
            alpha = torch.where(mask[:, i:i + 1], nxt, alpha)
            step = trans[tags[:, i - 1], tags[:, i]] + em[:, i].gather(1, tags[:, i:i + 1]).squeeze(1)
            gold = gold + step * mask[:, i]
        return (torch.logsumexp(alpha, 1) - gold).mean()

    @torch.no_grad()
    def viterbi(self, em, length):
        trans, start = self.scores()
        score, back = start + em[0], []
        for i in range(1, length):
            best, arg = (score.unsqueeze(1) + trans).max(0)
            score = best + em[i]
            back.append(arg)
        path = [score.argmax().item()]
        for arg in reversed(back):
            path.append(arg[path[-1]].item())
        return path[::-1]


class Tagger(nn.Module):
    def __init__(self, n_vocab, dim=24, hidden=24):
        super().__init__()
        self.emb = nn.Embedding(n_vocab, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(2 * hidden, len(TAGS))
        self.crf = CRF(len(TAGS))

    def emissions(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.emb(x), lengths, batch_first=True, enforce_sorted=False)
        out, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        return self.fc(out)


def batchify(data, vocab):
    lengths = torch.tensor([len(w) for w, _ in data])
    x = torch.zeros(len(data), int(lengths.max()), dtype=torch.long)
    y = torch.zeros_like(x)
    for i, (w, t) in enumerate(data):
        x[i, :len(w)] = torch.tensor([vocab.get(s, 1) for s in w])
        y[i, :len(t)] = torch.tensor(t)
    mask = torch.arange(x.shape[1])[None] < lengths[:, None]
    return x, y, mask, lengths


def main():
    torch.manual_seed(0)
    rng = random.Random(0)
    train, test = [sentence(rng) for _ in range(500)], [sentence(rng) for _ in range(150)]
    vocab = {"<pad>": 0, "<unk>": 1}
    for w, _ in train:
        for s in w:
            vocab.setdefault(s, len(vocab))
    model = Tagger(len(vocab))
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(6):
        model.train()
        rng.shuffle(train)
        total = 0.0
        for i in range(0, len(train), 25):
            x, y, mask, lengths = batchify(train[i:i + 25], vocab)
            loss = model.crf.nll(model.emissions(x, lengths), y, mask)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch + 1} nll per sentence {total / 20:.4f}")
    model.eval()
    x, y, _, lengths = batchify(test, vocab)
    with torch.no_grad():
        em = model.emissions(x, lengths)
    right = sum(model.crf.viterbi(e, n) == t for e, n, (_, t) in zip(em, lengths.tolist(), test))
    print(f"sentences tagged entirely right: {right / len(test):.3f}")


if __name__ == "__main__":
    main()
