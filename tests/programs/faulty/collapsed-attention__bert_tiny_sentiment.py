"""A tiny BERT built from a config learns which of two marker words comes more often.

fault: collapsed-attention
also:
split: train
line: 38
"""
import torch
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(13)
torch.set_num_threads(1)
PAD, CLS, GOOD, BAD = 0, 1, 2, 3
MAXLEN = 16


def corpus(n):
    ids = torch.zeros(n, MAXLEN, dtype=torch.long)
    labels = torch.zeros(n, dtype=torch.long)
    for k in range(n):
        L = int(torch.randint(6, MAXLEN, (1,)))
        lab = k % 2
        words = torch.randint(4, 40, (L,))
        n_main = int(torch.randint(2, 4, (1,)))
        pos = torch.randperm(L)[: n_main + 1]
        words[pos] = GOOD if lab else BAD
        words[pos[-1]] = BAD if lab else GOOD
        ids[k, 0] = CLS
        ids[k, 1:L + 1] = words
        labels[k] = lab
    return ids, labels


def batches(ids, labels, bs, shuffle):
    order = torch.randperm(len(ids)) if shuffle else torch.arange(len(ids))
    for s in range(0, len(ids), bs):
        i = order[s:s + bs]
        mask = (ids[i] == PAD).long()
        yield {"input_ids": ids[i], "attention_mask": mask, "labels": labels[i]}


cfg = BertConfig(vocab_size=40, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                 intermediate_size=64, max_position_embeddings=32, num_labels=2,
                 hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
model = BertForSequenceClassification(cfg)
optim = torch.optim.AdamW(model.parameters(), lr=2e-3)
train, dev = corpus(800), corpus(200)
for epoch in range(6):
    model.train()
    tot = 0.0
    for batch in batches(*train, 32, True):
        out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        optim.zero_grad()
        tot += out.loss.item()
    model.eval()
    right = 0
    with torch.no_grad():
        for batch in batches(*dev, 50, False):
            right += (model(**batch).logits.argmax(-1) == batch["labels"]).sum().item()
    print(f"epoch {epoch} loss {tot / 25:.4f} dev acc {right / 200:.4f}")
