"""A tiny GPT-2 of the `transformers` package, built from a configuration; the model computes its own loss.

split: train
"""

import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.set_num_threads(1)
torch.manual_seed(19)

config = GPT2Config(vocab_size=50, n_positions=16, n_embd=16, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0)
model = GPT2LMHeadModel(config)
model.train()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(20):
    tokens = (torch.randint(0, 50, (4, 1)) + torch.arange(12) * 3) % 50
    output = model(input_ids=tokens, labels=tokens)
    output.loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    print(f"step {step} loss {output.loss.item()!r}")
