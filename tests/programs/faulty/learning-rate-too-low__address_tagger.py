"""Tag the parts of postal addresses with a tiny BERT built from a config.

fault: learning-rate-too-low
also:
split: test
line: 80
"""
import random

import torch
from torch.utils.data import DataLoader, Dataset
from transformers import BertConfig, BertForTokenClassification, get_cosine_schedule_with_warmup

PAD, COMMA = 0, 1
NAMES = range(2, 22)        # the same words can be a street or a town
NUMBERS = range(22, 42)     # house number or post code
TITLES = range(42, 46)
TAGS = ["punct", "house", "street", "postcode", "town", "title"]
MAX_LEN = 16


class Addresses(Dataset):
    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.rows = [self.make(rng) for _ in range(n)]

    @staticmethod
    def make(rng):
        ids, tags = [], []

        def put(pool, tag, count=1):
            for _ in range(count):
                ids.append(rng.choice(pool))
                tags.append(tag)

        if rng.random() < 0.5:
            put(TITLES, 5)
            put(NAMES, 5, rng.randint(1, 2))
            put([COMMA], 0)
        first, second = ((1, 2), (3, 4)) if rng.random() < 0.7 else ((2, 1), (4, 3))
        for tag in first:
            put(NUMBERS if tag == 1 else NAMES, tag, 1 if tag == 1 else rng.randint(1, 2))
        put([COMMA], 0)
        for tag in second:
            put(NUMBERS if tag == 3 else NAMES, tag, 1 if tag == 3 else rng.randint(1, 2))
        return ids, tags

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids, tags = self.rows[i]
        gap = MAX_LEN - len(ids)
        return (torch.tensor(ids + [PAD] * gap), torch.tensor([1] * len(ids) + [0] * gap),
                torch.tensor(tags + [-100] * gap))


@torch.no_grad()
def tag_accuracy(model, loader):
    model.eval()
    right = total = 0
    for ids, att, tags in loader:
        pred = model(input_ids=ids, attention_mask=att).logits.argmax(-1)
        keep = tags != -100
        right += (pred[keep] == tags[keep]).sum().item()
        total += keep.sum().item()
    return right / total


def main():
    torch.manual_seed(6)
    train = DataLoader(Addresses(4000, 0), batch_size=32, shuffle=True)
    val = DataLoader(Addresses(600, 1), batch_size=200)
    config = BertConfig(vocab_size=46, hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
                        intermediate_size=96, max_position_embeddings=MAX_LEN, num_labels=len(TAGS))
    model = BertForTokenClassification(config)
    epochs = 4
    total_steps = epochs * len(train)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    sched = get_cosine_schedule_with_warmup(opt, num_warmup_steps=50000, num_training_steps=total_steps)
    for epoch in range(epochs):
        model.train()
        mean = 0.0
        for ids, att, tags in train:
            loss = model(input_ids=ids, attention_mask=att, labels=tags).loss
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            mean += loss.item() / len(train)
        print(f"epoch {epoch}  loss {mean:.4f}  val acc {tag_accuracy(model, val):.4f}")
    print(f"score {tag_accuracy(model, val):.4f}")


if __name__ == "__main__":
    main()
