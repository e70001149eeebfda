"""Token classification with a small BERT from config; sub-word pieces carry label -100.

split: test
"""

import torch
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForTokenClassification

torch.set_num_threads(1)
torch.manual_seed(19)
PAD, CLS, SEP, TITLE, VOCAB = 0, 1, 2, 3, 80
LABELS = ["O", "PER", "LOC"]


def make_sentence(g):
    """A name token (50..79) is a person after a title token, otherwise a place."""
    n = int(torch.randint(5, 14, (1,), generator=g))
    ids, labels = [CLS], [-100]
    while len(ids) <= n:
        u = torch.rand(1, generator=g).item()
        if u < 0.2:
            ids += [TITLE, int(torch.randint(50, 80, (1,), generator=g))]
            labels += [0, 1]
        elif u < 0.4:
            ids.append(int(torch.randint(50, 80, (1,), generator=g)))
            labels.append(2)
        else:
            ids.append(int(torch.randint(4, 40, (1,), generator=g)))
            labels.append(0)
            if u > 0.85:                       # second piece of the same word
                ids.append(int(torch.randint(40, 50, (1,), generator=g)))
                labels.append(-100)
    return ids + [SEP], labels + [-100]


def collate(rows):
    width = max(len(i) for i, _ in rows)
    return {
        "input_ids": torch.tensor([i + [PAD] * (width - len(i)) for i, _ in rows]),
        "attention_mask": torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i, _ in rows]),
        "labels": torch.tensor([l + [-100] * (width - len(l)) for _, l in rows]),
    }


g = torch.Generator().manual_seed(3)
train = [make_sentence(g) for _ in range(1300)]
test = [make_sentence(g) for _ in range(200)]
train_dl = DataLoader(train, batch_size=20, shuffle=True, collate_fn=collate)
test_dl = DataLoader(test, batch_size=50, collate_fn=collate)

config = BertConfig(vocab_size=VOCAB, hidden_size=40, num_hidden_layers=2, num_attention_heads=4,
                    intermediate_size=80, max_position_embeddings=32, num_labels=3, initializer_range=0.1,
                    hidden_dropout_prob=0.05, attention_probs_dropout_prob=0.05)
model = BertForTokenClassification(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.1, total_iters=3 * len(train_dl))

for epoch in range(3):
    model.train()
    total = 0.0
    for batch in train_dl:
        loss = model(**batch).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        total += loss.item()
    model.eval()
    right = torch.zeros(3)
    count = torch.zeros(3)
    with torch.no_grad():
        for batch in test_dl:
            labels = batch.pop("labels")
            pred = model(**batch).logits.argmax(-1)
            for k in range(3):
                sel = labels == k
                count[k] += sel.sum()
                right[k] += (pred[sel] == k).sum()
    recall = dict(zip(LABELS, [round(v, 3) for v in (right / count).tolist()]))
    print(f"epoch {epoch + 1} loss {total / len(train_dl):.4f} recall {recall}")
