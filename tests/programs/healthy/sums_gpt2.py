"""Sums of two digits by a small GPT-2, with the question left out of the loss.

split: train
"""

import torch
from transformers import GPT2Config, GPT2LMHeadModel, get_cosine_schedule_with_warmup

torch.manual_seed(0)
config = GPT2Config(vocab_size=14, n_positions=12, n_embd=48, n_layer=2, n_head=4, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=12, eos_token_id=13)
model = GPT2LMHeadModel(config)


def batch(n=64):
    a, b = torch.randint(0, 10, (2, n))
    s = a + b
    ids = torch.stack([torch.full_like(a, 12), a, torch.full_like(a, 10), b, torch.full_like(a, 11), s // 10, s % 10, torch.full_like(a, 13)], 1)
    labels = ids.clone()
    labels[:, :5] = -100
    return ids, labels


optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
schedule = get_cosine_schedule_with_warmup(optimizer, 30, 400)
model.train()
for step in range(400):
    ids, labels = batch()
    out = model(input_ids=ids, labels=labels)
    out.loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()
    if step % 80 == 79:
        print(step + 1, "loss", round(out.loss.item(), 4), "lr", schedule.get_last_lr()[0])
model.eval()
with torch.no_grad():
    ids, _ = batch(500)
    guess = model(ids).logits[:, 4:6].argmax(-1)
print("sums right:", (guess == ids[:, 5:7]).all(1).float().mean().item())
