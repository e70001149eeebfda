"""A sequence is turned into another with attention.

split: test
"""

import random

import torch
import torch.nn as nn

PAD, BOS, EOS = 0, 1, 2
OFFSET, SYMBOLS = 3, 12
MAX_LEN = 12
VOCAB = OFFSET + SYMBOLS


def sample_batch(n, rng):
    src = torch.full((n, MAX_LEN), PAD)
    tgt = torch.full((n, MAX_LEN + 2), PAD)
    for i in range(n):
        length = rng.randint(6, MAX_LEN)
        seq = [rng.randrange(SYMBOLS) + OFFSET for _ in range(length)]
        src[i, :length] = torch.tensor(seq)
        tgt[i, :length + 2] = torch.tensor([BOS] + seq[::-1] + [EOS])
    return src, tgt


class Encoder(nn.Module):
    def __init__(self, emb, hid):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, emb, padding_idx=PAD)
        self.gru = nn.GRU(emb, hid, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hid, hid)
        self.keys = nn.Linear(2 * hid, hid)

    def forward(self, src):
        states, last = self.gru(self.embed(src))
        h0 = torch.tanh(self.bridge(torch.cat([last[0], last[1]], dim=-1)))
        return self.keys(states), h0


class Decoder(nn.Module):
    def __init__(self, emb, hid):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, emb, padding_idx=PAD)
        self.cell = nn.GRUCell(emb + hid, hid)
        self.out = nn.Linear(2 * hid, VOCAB)

    def attend(self, h, memory, mask):
        scores = torch.bmm(h.unsqueeze(1), memory.transpose(1, 2))
        scores = scores.masked_fill(~mask.unsqueeze(1), -1e4)
        weights = torch.softmax(scores, dim=-1)
        return torch.bmm(weights, memory).squeeze(1)

    def step(self, token, context, h, memory, mask):
        h = self.cell(torch.cat([self.embed(token), context], dim=-1), h)
        context = self.attend(h, memory, mask)
        return self.out(torch.cat([h, context], dim=-1)), context, h


class Seq2Seq(nn.Module):
    def __init__(self, emb=24, hid=48):
        super().__init__()
        self.encoder, self.decoder = Encoder(emb, hid), Decoder(emb, hid)

    def forward(self, src, tgt):
        memory, h = self.encoder(src)
        mask, context, logits = src != PAD, torch.zeros_like(h), []
        for t in range(tgt.size(1) - 1):
            step_logits, context, h = self.decoder.step(tgt[:, t], context, h, memory, mask)
            logits.append(step_logits)
        return torch.stack(logits, dim=1)

    @torch.no_grad()
    def greedy(self, src, steps):
        memory, h = self.encoder(src)
        mask, context = src != PAD, torch.zeros_like(h)
        token, result = torch.full((src.size(0),), BOS), []
        for _ in range(steps):
            logits, context, h = self.decoder.step(token, context, h, memory, mask)
            token = logits.argmax(-1)
            result.append(token)
        return torch.stack(result, dim=1)


def token_accuracy(model, src, tgt):
    model.eval()
    pred, gold = model.greedy(src, tgt.size(1) - 1), tgt[:, 1:]
    keep = gold != PAD
    return (pred[keep] == gold[keep]).float().mean().item()


def main(steps=360):
    torch.manual_seed(6)
    rng = random.Random(6)
    test_src, test_tgt = sample_batch(300, random.Random(600))
    model = Seq2Seq()
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    for step in range(1, steps + 1):
        model.train()
        src, tgt = sample_batch(48, rng)
        loss = criterion(model(src, tgt).reshape(-1, VOCAB), tgt[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.4f} token acc {token_accuracy(model, test_src, test_tgt):.4f}")
    print(f"final token accuracy: {token_accuracy(model, test_src, test_tgt):.4f}")


if __name__ == "__main__":
    main()
