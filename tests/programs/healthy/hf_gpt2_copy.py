"""A GPT-2 from a config learns to copy.

split: test
"""

import torch
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel, get_cosine_schedule_with_warmup

torch.set_num_threads(1)
torch.manual_seed(15)

# task: "a b c d SEP a b c d" over random letters; only the part after SEP is scored
LETTERS, LEN = 10, 4
SEP = LETTERS


def make(n):
    s = torch.randint(0, LETTERS, (n, LEN))
    ids = torch.cat([s, torch.full((n, 1), SEP), s], dim=1)
    labels = ids.clone()
    labels[:, : LEN + 1] = -100
    return [{"input_ids": i, "labels": l} for i, l in zip(ids, labels)]


config = GPT2Config(vocab_size=LETTERS + 1, n_positions=16, n_embd=64, n_layer=2, n_head=4,
                    resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=SEP, eos_token_id=SEP)
model = GPT2LMHeadModel(config)
train_loader = DataLoader(make(4000), batch_size=64, shuffle=True)
eval_loader = DataLoader(make(400), batch_size=200)

decay = [p for p in model.parameters() if p.dim() >= 2]
no_decay = [p for p in model.parameters() if p.dim() < 2]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01},
                               {"params": no_decay, "weight_decay": 0.0}], lr=4e-3)
EPOCHS = 4
total = EPOCHS * len(train_loader)
scheduler = get_cosine_schedule_with_warmup(optimizer, num_warmup_steps=total // 10, num_training_steps=total)


def evaluate():
    model.eval()
    right = count = 0
    with torch.no_grad():
        for batch in eval_loader:
            logits = model(input_ids=batch["input_ids"]).logits[:, :-1]
            gold = batch["labels"][:, 1:]
            mask = gold != -100
            right += ((logits.argmax(-1) == gold) & mask).sum().item()
            count += mask.sum().item()
    return right / count


step = 0
for epoch in range(EPOCHS):
    model.train()
    for batch in train_loader:
        loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        step += 1
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.2e}")
    print(f"epoch {epoch + 1} eval token accuracy {evaluate():.4f}")
