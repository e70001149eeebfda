"""A tiny T5 from its configuration learns to copy short strings; padding in the labels is -100.

split: test
"""

import torch
from transformers import T5Config, T5ForConditionalGeneration

torch.set_num_threads(1)
torch.manual_seed(95)
config = T5Config(
    vocab_size=10,
    d_model=48,
    d_kv=12,
    d_ff=96,
    num_layers=1,
    num_heads=4,
    dropout_rate=0.0,
    decoder_start_token_id=0,
    pad_token_id=0,
)
model = T5ForConditionalGeneration(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)


def batch(size):
    tokens = torch.randint(2, 10, (size, 3))
    lengths = torch.randint(2, 4, (size, 1))
    real = torch.arange(3) < lengths
    return tokens * real, real.long(), torch.where(real, tokens, -100)


for step in range(160):
    ids, mask, labels = batch(32)
    loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
    if step % 30 == 0:
        print(step, loss.item())
model.eval()
with torch.no_grad():
    ids, mask, labels = batch(200)
    guess = model(input_ids=ids, attention_mask=mask, labels=labels).logits.argmax(-1)
right = (guess == labels)[labels != -100].float().mean().item()
print(f"loss {loss.item():.3f} tokens right {right:.3f}")
