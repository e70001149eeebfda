"""A tiny GPT that learns strings of digits and writes some of its own.

split: train
"""

import torch, torch.nn as nn, torch.nn.functional as F

torch.manual_seed(1337)
chars = "abcdefgh|."
stoi = {c: i for i, c in enumerate(chars)}
itos = {i: c for c, i in stoi.items()}
word_len = 5
block_size = 2 * word_len + 2
n_embd, n_head, n_layer = 48, 4, 2
batch_size, max_iters, eval_interval = 64, 600, 100


def get_words(n):
    w = torch.randint(0, 8, (n, word_len))
    bar = torch.full((n, 1), stoi["|"])
    dot = torch.full((n, 1), stoi["."])
    return torch.cat([w, bar, w.sort(1).values, dot], dim=1)


def get_batch():
    s = get_words(batch_size)
    x, y = s[:, :-1], s[:, 1:].clone()
    y[:, :word_len] = -1          # the random word itself can not be predicted
    return x, y


class Attn(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(n_embd, dim=2)
        q = q.view(B, T, n_head, C // n_head).transpose(1, 2)
        k = k.view(B, T, n_head, C // n_head).transpose(1, 2)
        v = v.view(B, T, n_head, C // n_head).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(n_embd), Attn()
        self.ln_2 = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        x = x + self.mlp(self.ln_2(x))
        return x


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(len(chars), n_embd)
        self.wpe = nn.Embedding(block_size, n_embd)
        self.h = nn.ModuleList([Block() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, len(chars), bias=False)

    def forward(self, idx, targets=None):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1)))
        for b in self.h:
            x = b(x)
        logits = self.lm_head(self.ln_f(x))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.reshape(-1, len(chars)), targets.reshape(-1), ignore_index=-1)

    @torch.no_grad()
    def generate(self, idx, n):
        for _ in range(n):
            logits, _ = self(idx)
            idx = torch.cat([idx, logits[:, -1].argmax(-1, keepdim=True)], dim=1)
        return idx


@torch.no_grad()
def score(model):
    model.eval()
    gold = get_words(200)
    out = model.generate(gold[:, :word_len + 1], word_len + 1)
    model.train()
    return (out == gold)[:, word_len + 1:].float().mean().item(), "".join(itos[int(i)] for i in out[0])


model = GPT()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.01)
sched = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=max_iters, pct_start=0.1)
for it in range(max_iters):
    xb, yb = get_batch()
    _, loss = model(xb, yb)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    sched.step()
    if (it + 1) % eval_interval == 0:
        acc, sample = score(model)
        print(f"iter {it + 1}: train loss {loss.item():.4f}, generated char acc {acc:.3f}, sample {sample}")
