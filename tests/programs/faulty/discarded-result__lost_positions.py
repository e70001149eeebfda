"""Say a string of digits backwards: encoder-decoder transformer.

fault: discarded-result
also:
split: train
line: 28
"""
import math

import torch
import torch.nn as nn

BOS, VOCAB, LENGTH = 10, 11, 6


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.0, max_len=64):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        pos = torch.arange(max_len).unsqueeze(1)
        div = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(1, max_len, d_model)
        pe[0, :, 0::2] = torch.sin(pos * div)
        pe[0, :, 1::2] = torch.cos(pos * div)
        self.register_buffer("pe", pe)

    def forward(self, x):
        x + self.pe[:, :x.size(1)]
        return self.dropout(x)


class Reverser(nn.Module):
    def __init__(self, d_model=48):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, d_model)
        self.position = PositionalEncoding(d_model)
        self.transformer = nn.Transformer(
            d_model, nhead=4, num_encoder_layers=1, num_decoder_layers=1,
            dim_feedforward=96, dropout=0.0, batch_first=True,
        )
        self.generator = nn.Linear(d_model, VOCAB - 1)

    def forward(self, src, tgt):
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        s, t = self.position(self.embed(src)), self.position(self.embed(tgt))
        return self.generator(self.transformer(s, t, tgt_mask=mask))


def make_batch(size):
    src = torch.randint(0, 10, (size, LENGTH))
    out = src.flip(1)
    tgt_in = torch.cat([torch.full((size, 1), BOS), out[:, :-1]], 1)
    return src, tgt_in, out


@torch.no_grad()
def greedy(model, src):
    model.eval()
    ys = torch.full((len(src), 1), BOS)
    for _ in range(LENGTH):
        nxt = model(src, ys)[:, -1].argmax(-1, keepdim=True)
        ys = torch.cat([ys, nxt], 1)
    model.train()
    return ys[:, 1:]


def main():
    torch.manual_seed(0)
    model = Reverser()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    loss_fn = nn.CrossEntropyLoss()
    for step in range(1, 401):
        src, tgt_in, out = make_batch(48)
        logits = model(src, tgt_in)
        loss = loss_fn(logits.reshape(-1, VOCAB - 1), out.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            src, _, out = make_batch(200)
            got = greedy(model, src)
            print(f"step {step}: loss {loss.item():.4f} exact {(got == out).all(1).float().mean():.3f} per digit {(got == out).float().mean():.3f}")


main()
