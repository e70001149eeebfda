"""Masked tokens for a small BERT.

split: test
"""

import torch
from transformers import BertConfig, BertForMaskedLM

torch.set_num_threads(1)
torch.manual_seed(47)

PAD, CLS, MASK, BASE, N = 0, 1, 2, 3, 8
LEN = 12


def corpus(n):
    """Arithmetic progressions mod N of varying length, padded."""
    start = torch.randint(0, N, (n, 1))
    body = (start + 3 * torch.arange(LEN - 1)) % N + BASE
    ids = torch.cat([torch.full((n, 1), CLS), body], 1)
    length = torch.randint(8, LEN + 1, (n, 1))
    keep = torch.arange(LEN) < length
    return ids.masked_fill(~keep, PAD), keep.long()


def mask_tokens(ids, attention, rate=0.2):
    labels = ids.clone()
    allowed = (attention == 1) & (ids != CLS)
    chosen = (torch.rand(ids.shape) < rate) & allowed
    labels[~chosen] = -100
    dice = torch.rand(ids.shape)
    noisy = ids.clone()
    noisy[chosen & (dice < 0.8)] = MASK
    swap = chosen & (dice >= 0.9)
    noisy[swap] = torch.randint(BASE, BASE + N, (int(swap.sum()),))
    return noisy, labels


config = BertConfig(vocab_size=BASE + N, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                    intermediate_size=64, max_position_embeddings=16, pad_token_id=PAD, initializer_range=0.08,
                    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
model = BertForMaskedLM(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
total_steps = 200
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=total_steps, pct_start=0.15)
val_ids, val_att = corpus(300)
val_in, val_lab = mask_tokens(val_ids, val_att)

for step in range(1, total_steps + 1):
    model.train()
    ids, att = corpus(48)
    inp, lab = mask_tokens(ids, att)
    loss = model(input_ids=inp, attention_mask=att, labels=lab).loss
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    if step % 40 == 0 or step == total_steps:
        model.eval()
        with torch.no_grad():
            out = model(input_ids=val_in, attention_mask=val_att, labels=val_lab)
        sel = val_lab != -100
        hit = (out.logits.argmax(-1) == val_lab)[sel].float().mean().item()
        print(f"step {step} train {loss.item():.4f} val {out.loss.item():.4f} masked accuracy {hit:.3f}")
