"""Next characters of a small text.

fault: softmax-over-batch
also:
split: train
line: 33
"""

import torch
from torch import nn
import torch.nn.functional as F

TEXT = (
    "the quick brown fox jumps over the lazy dog. a small cat sat on the warm mat and looked at the rain. "
    "when the rain stopped the cat went out to the garden. the dog was asleep under the old apple tree. "
    "the fox came back in the evening and stole an apple from the tree. nobody saw it but the cat. "
    "in the morning the dog barked at the fox and the fox ran over the hill and far away. "
) * 6
chars = sorted(set(TEXT))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in TEXT])


class CharLSTM(nn.Module):
    def __init__(self, vocab, dim=32, hidden=96):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True)
        self.proj = nn.Linear(hidden, vocab)

    def forward(self, x, state=None):
        out, state = self.lstm(self.embed(x), state)
        return F.log_softmax(self.proj(out), dim=1), state


def get_batch(n, length):
    start = torch.randint(0, len(ids) - length - 1, (n,))
    x = torch.stack([ids[s:s + length] for s in start])
    y = torch.stack([ids[s + 1:s + length + 1] for s in start])
    return x, y


@torch.no_grad()
def sample(model, prompt, n):
    model.eval()
    x = torch.tensor([[stoi[c] for c in prompt]])
    out = prompt
    for _ in range(n):
        logp, _ = model(x)
        nxt = logp[0, -1].argmax().item()
        out += chars[nxt]
        x = torch.cat([x, torch.tensor([[nxt]])], 1)[:, -32:]
    return out


def main():
    torch.manual_seed(0)
    model = CharLSTM(len(chars))
    criterion = nn.NLLLoss()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for step in range(1, 401):
        model.train()
        x, y = get_batch(24, 32)
        logp, _ = model(x)
        loss = criterion(logp.reshape(-1, len(chars)), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 80 == 0:
            acc = (logp.argmax(-1) == y).float().mean().item()
            print(f"step {step} loss {loss.item():.3f} next-char acc {acc:.3f}")
    print(repr(sample(model, "the cat ", 60)))
    x, y = get_batch(64, 32)
    with torch.no_grad():
        acc = (model(x)[0].argmax(-1) == y).float().mean().item()
    print(f"next-char accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
