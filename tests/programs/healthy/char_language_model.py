"""Character-level language model (GRU) on a generated corpus of simple sentences.

split: train
"""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


def make_corpus(n_sentences, seed):
    r = random.Random(seed)
    who = ["the cat", "a farmer", "my sister", "the old king", "our teacher", "that robot"]
    verb = ["sees", "paints", "follows", "repairs", "admires", "forgets"]
    what = ["a red boat", "the long road", "two small birds", "an empty house", "the quiet river"]
    when = ["today", "every morning", "in the rain", "at night", "once a year"]
    return " ".join(f"{r.choice(who)} {r.choice(verb)} {r.choice(what)} {r.choice(when)}." for _ in range(n_sentences))


class CharGRU(nn.Module):
    def __init__(self, vocab, dim=32, hidden=96):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        y, h = self.gru(self.emb(x), h)
        return self.out(y), h


def get_batch(data, seq_len, batch):
    starts = torch.randint(0, len(data) - seq_len - 1, (batch,))
    x = torch.stack([data[s:s + seq_len] for s in starts])
    y = torch.stack([data[s + 1:s + seq_len + 1] for s in starts])
    return x, y


@torch.no_grad()
def bits_per_char(model, data, seq_len=100):
    model.eval()
    total, count, h = 0.0, 0, None
    for i in range(0, len(data) - 1, seq_len):
        x = data[i:i + seq_len][None]
        y = data[i + 1:i + seq_len + 1][None]
        x = x[:, :y.shape[1]]
        logits, h = model(x, h)
        total += F.cross_entropy(logits[0], y[0], reduction="sum").item()
        count += y.numel()
    return total / count / math.log(2)


@torch.no_grad()
def sample(model, stoi, itos, prompt="the ", length=80):
    model.eval()
    text = prompt
    logits, h = model(torch.tensor([[stoi[c] for c in prompt]]))
    for _ in range(length):
        nxt = torch.multinomial(F.softmax(logits[0, -1] / 0.7, dim=-1), 1)
        text += itos[nxt.item()]
        logits, h = model(nxt[None], h)
    return text


def main():
    torch.manual_seed(11)
    train_text, valid_text = make_corpus(1500, 1), make_corpus(120, 2)
    chars = sorted(set(train_text))
    stoi = {c: i for i, c in enumerate(chars)}
    encode = lambda s: torch.tensor([stoi[c] for c in s])
    train, valid = encode(train_text), encode(valid_text)
    model = CharGRU(len(chars))
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    model.train()
    for step in range(1, 401):
        x, y = get_batch(train, 64, 32)
        logits, _ = model(x)
        loss = F.cross_entropy(logits.reshape(-1, len(chars)), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.3f} valid bpc {bits_per_char(model, valid):.3f}")
            model.train()
    print(sample(model, stoi, chars))
    print(f"final valid bits/char {bits_per_char(model, valid):.3f}")


if __name__ == "__main__":
    main()
