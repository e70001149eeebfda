"""Pairs of sentences for a small BERT.

split: test
"""

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import BertConfig, BertForSequenceClassification, get_linear_schedule_with_warmup

torch.set_num_threads(1)
torch.manual_seed(12)
PAD, CLS, SEP = 0, 1, 2


class PairDataset(Dataset):
    """Two short word lists; label 1 when they share their topic (words 10-29, 30-49, 50-69)."""

    def __init__(self, n, gen):
        self.rows = [self.make(gen) for _ in range(n)]

    @staticmethod
    def make(gen):
        r = lambda lo, hi, k=1: torch.randint(lo, hi, (k,), generator=gen)
        label = int(r(0, 2))
        a = int(r(0, 3))
        b = a if label else (a + 1 + int(r(0, 2))) % 3
        left = r(10 + 20 * a, 30 + 20 * a, int(r(3, 6)))
        right = r(10 + 20 * b, 30 + 20 * b, int(r(3, 6)))
        ids = [CLS, *left.tolist(), SEP, *right.tolist(), SEP]
        types = [0] * (len(left) + 2) + [1] * (len(right) + 1)
        return ids, types, label

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    width = max(len(r[0]) for r in rows)
    pad = lambda seq: seq + [0] * (width - len(seq))
    ids = torch.tensor([pad(r[0]) for r in rows])
    return {
        "input_ids": ids,
        "token_type_ids": torch.tensor([pad(r[1]) for r in rows]),
        "attention_mask": (ids != PAD).long(),
        "labels": torch.tensor([r[2] for r in rows]),
    }


def evaluate(model, loader):
    model.eval()
    hits = n = 0
    with torch.no_grad():
        for batch in loader:
            hits += (model(**batch).logits.argmax(-1) == batch["labels"]).sum().item()
            n += len(batch["labels"])
    return hits / n


def main():
    gen = torch.Generator().manual_seed(12)
    train = DataLoader(PairDataset(1600, gen), batch_size=16, shuffle=True, collate_fn=collate)
    valid = DataLoader(PairDataset(300, gen), batch_size=100, collate_fn=collate)
    config = BertConfig(vocab_size=70, hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
                        intermediate_size=96, max_position_embeddings=16, hidden_dropout_prob=0.0,
                        attention_probs_dropout_prob=0.0, num_labels=2)
    model = BertForSequenceClassification(config)
    accumulate, epochs = 2, 6
    updates = epochs * len(train) // accumulate
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    sched = get_linear_schedule_with_warmup(opt, updates // 10, updates)
    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        for i, batch in enumerate(train, 1):
            loss = model(**batch).loss
            (loss / accumulate).backward()
            total += loss.item()
            if i % accumulate == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                sched.step()
                opt.zero_grad()
        print(f"epoch {epoch} loss {total / len(train):.4f} valid acc {evaluate(model, valid):.4f}")


if __name__ == "__main__":
    main()
