"""Intent classification with a small BERT built from a config. Gradient accumulation, linear warm-up and decay.

split: train
"""
import random

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import BertConfig, BertForSequenceClassification, get_linear_schedule_with_warmup

TEMPLATES = {
    0: ["book a table for {n} at {p}", "i want to reserve a table in {p}", "get us {n} seats for dinner at {p}"],
    1: ["what is the weather in {p}", "will it rain in {p} {d}", "how warm is it {d} in {p}"],
    2: ["play some {m} music", "put on the {m} list", "i want to hear {m} {d}"],
    3: ["set an alarm {d} at {n}", "wake me up {d} at {n}", "remind me at {n} to call {p}"],
}
SLOTS = {"n": "two three four five six seven".split(), "p": "paris rome berlin oslo lima cairo".split(),
         "m": "jazz rock folk piano dance quiet".split(), "d": "today tomorrow tonight monday friday".split()}


def utterance(rng):
    label = rng.randrange(4)
    text = rng.choice(TEMPLATES[label]).format(**{k: rng.choice(v) for k, v in SLOTS.items()})
    words = text.split()
    if rng.random() < 0.3:
        words = ["please"] + words
    if rng.random() < 0.3:
        words.append("thanks")
    if rng.random() < 0.2:
        words.pop(rng.randrange(len(words)))     # a word lost by the speech recogniser
    return words, label


class Intents(Dataset):
    def __init__(self, n, seed, vocab=None):
        rng = random.Random(seed)
        raw = [utterance(rng) for _ in range(n)]
        if vocab is None:
            vocab = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2}
            for words, _ in raw:
                for w in words:
                    vocab.setdefault(w, len(vocab))
        self.vocab = vocab
        self.items = [([2] + [vocab.get(w, 1) for w in words], label) for words, label in raw]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    width = max(len(s) for s, _ in batch)
    ids = torch.zeros(len(batch), width, dtype=torch.long)
    for r, (seq, _) in enumerate(batch):
        ids[r, :len(seq)] = torch.tensor(seq)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(), "labels": torch.tensor([l for _, l in batch])}


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    ok = n = 0
    for b in loader:
        ok += (model(**b).logits.argmax(-1) == b["labels"]).sum().item()
        n += len(b["labels"])
    return ok / n


def main():
    torch.manual_seed(0)
    train_set = Intents(1200, 1)
    train = DataLoader(train_set, batch_size=20, shuffle=True, collate_fn=collate)
    valid = DataLoader(Intents(200, 2, train_set.vocab), batch_size=100, collate_fn=collate)
    test = DataLoader(Intents(400, 3, train_set.vocab), batch_size=100, collate_fn=collate)
    config = BertConfig(vocab_size=len(train_set.vocab), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
                        intermediate_size=64, max_position_embeddings=20, num_labels=4)
    model = BertForSequenceClassification(config)
    epochs, accum = 6, 2
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    updates = epochs * len(train) // accum
    sched = get_linear_schedule_with_warmup(opt, num_warmup_steps=updates // 10, num_training_steps=updates)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for i, batch in enumerate(train):
            loss = model(**batch).loss
            (loss / accum).backward()
            total += loss.item()
            if (i + 1) % accum == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
                sched.step()
                opt.zero_grad()
        print(f"epoch {epoch + 1} loss {total / len(train):.4f} valid acc {accuracy(model, valid):.4f}")
    print(f"test accuracy {accuracy(model, test):.4f}")


if __name__ == "__main__":
    main()
