"""A small BERT from a config (no download) for sentiment of template sentences.

split: test
"""

import random
import torch
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForSequenceClassification, get_linear_schedule_with_warmup

random.seed(1)
torch.manual_seed(1)
POS = "great wonderful lovely brilliant charming excellent moving clever".split()
NEG = "awful boring dull terrible clumsy weak annoying stupid".split()
THINGS = "film plot actor music ending script scene dialogue".split()
FILL = "the a was and really quite very i thought that found this".split()


def example():
    pol = random.random() < 0.5
    adj = random.choice(POS if pol else NEG)
    neg = random.random() < 0.35
    words = random.choices(FILL, k=random.randint(1, 4)) + ["the", random.choice(THINGS), "was"]
    words += (["not"] if neg else []) + random.choices(["really", "quite", "very"], k=random.randint(0, 2)) + [adj]
    words += random.choices(FILL, k=random.randint(0, 3)) + [random.choice(THINGS)]
    return words, int(pol != neg)


data = [example() for _ in range(2400)]
vocab = {w: i + 3 for i, w in enumerate(sorted(set(POS + NEG + THINGS + FILL + ["not", "quite", "was"])))}
PAD, CLS, SEP = 0, 1, 2


def collate(batch):
    ids = [[CLS] + [vocab[w] for w in ws] + [SEP] for ws, _ in batch]
    m = max(map(len, ids))
    return {"input_ids": torch.tensor([s + [PAD] * (m - len(s)) for s in ids]),
            "attention_mask": torch.tensor([[1] * len(s) + [0] * (m - len(s)) for s in ids]),
            "labels": torch.tensor([y for _, y in batch])}


train_dl = DataLoader(data[:2000], batch_size=32, shuffle=True, collate_fn=collate)
test_dl = DataLoader(data[2000:], batch_size=100, collate_fn=collate)

config = BertConfig(vocab_size=len(vocab) + 3, hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
                    intermediate_size=96, max_position_embeddings=32, num_labels=2, pad_token_id=PAD,
                    hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1)
model = BertForSequenceClassification(config)
epochs = 8
no_decay = ("bias", "LayerNorm.weight")
groups = [{"params": [p for n, p in model.named_parameters() if not n.endswith(no_decay)], "weight_decay": 0.01},
          {"params": [p for n, p in model.named_parameters() if n.endswith(no_decay)], "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=1e-3)
scheduler = get_linear_schedule_with_warmup(optimizer, 60, epochs * len(train_dl))

for epoch in range(epochs):
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
    hit, vl = 0, 0.0
    with torch.no_grad():
        for batch in test_dl:
            out = model(**batch)
            hit += (out.logits.argmax(-1) == batch["labels"]).sum().item()
            vl += out.loss.item()
    print(f"epoch {epoch + 1} train loss {total / len(train_dl):.4f} test loss {vl / len(test_dl):.4f} acc {hit / 400:.4f}")
