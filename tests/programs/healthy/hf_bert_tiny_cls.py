"""A tiny BERT that sorts sentences.

split: test
"""

import torch
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForSequenceClassification, get_linear_schedule_with_warmup

torch.set_num_threads(1)
torch.manual_seed(17)

PAD, CLS, SEP = 0, 1, 2
POS, NEG, NOT = range(3, 13), range(13, 23), 23
VOCAB = 60


def make_example(g):
    n = int(torch.randint(5, 15, (1,), generator=g))
    words = torch.randint(24, VOCAB, (n,), generator=g).tolist()
    label = 0
    k = int(torch.randint(0, 10, (1,), generator=g))
    sentiment = int(torch.rand(1, generator=g) < 0.5)
    word = (POS if sentiment else NEG)[k]
    at = int(torch.randint(0, n - 1, (1,), generator=g))
    words[at] = word
    label = sentiment
    if at > 0 and torch.rand(1, generator=g) < 0.3:
        words[at - 1] = NOT
        label = 1 - sentiment
    return {"input_ids": [CLS] + words + [SEP], "label": label}


def collate(rows):
    width = max(len(r["input_ids"]) for r in rows)
    ids = torch.full((len(rows), width), PAD)
    for i, r in enumerate(rows):
        ids[i, :len(r["input_ids"])] = torch.tensor(r["input_ids"])
    return {"input_ids": ids, "attention_mask": (ids != PAD).long(),
            "labels": torch.tensor([r["label"] for r in rows])}


g = torch.Generator().manual_seed(0)
train = [make_example(g) for _ in range(2000)]
test = [make_example(g) for _ in range(500)]
train_dl = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate)
test_dl = DataLoader(test, batch_size=100, collate_fn=collate)

config = BertConfig(vocab_size=VOCAB, hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
                    intermediate_size=96, max_position_embeddings=32, num_labels=2, pad_token_id=PAD)
model = BertForSequenceClassification(config)

no_decay = ("bias", "LayerNorm.weight")
groups = [
    {"params": [p for n, p in model.named_parameters() if not n.endswith(no_decay)], "weight_decay": 0.01},
    {"params": [p for n, p in model.named_parameters() if n.endswith(no_decay)], "weight_decay": 0.0},
]
EPOCHS = 5
optimizer = torch.optim.AdamW(groups, lr=2e-3)
scheduler = get_linear_schedule_with_warmup(optimizer, 30, EPOCHS * len(train_dl))

for epoch in range(EPOCHS):
    model.train()
    total = 0.0
    for batch in train_dl:
        out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        total += out.loss.item()
    model.eval()
    right = 0
    for batch in test_dl:
        with torch.no_grad():
            out = model(**batch)
        right += (out.logits.argmax(-1) == batch["labels"]).sum().item()
    print(f"Epoch {epoch + 1}/{EPOCHS} - train loss: {total / len(train_dl):.4f} - test acc: {right / len(test):.4f}")
