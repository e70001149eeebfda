"""Reviews judged by an encoder built from a configuration.

split: train
"""

import random

import torch
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForSequenceClassification

POSITIVE = "good great lovely fast sturdy quiet bright solid".split()
NEGATIVE = "bad poor ugly slow broken loud dim flimsy".split()
FILLER = "the a screen battery case it is was and with very button cable box".split()
SPECIAL = ["[PAD]", "[CLS]", "[SEP]", "not"]
VOCAB = {w: i for i, w in enumerate(SPECIAL + POSITIVE + NEGATIVE + FILLER)}
PAD, CLS, SEP = 0, 1, 2
MAX_LEN = 28


def make_review(rng):
    score, words = 0, []
    while score == 0:
        words, score = [], 0
        for _ in range(rng.randint(4, 18)):
            r = rng.random()
            if r < 0.35:
                positive = rng.random() < 0.5
                score += 1 if positive else -1
                words.append(rng.choice(POSITIVE if positive else NEGATIVE))
            else:
                words.append(rng.choice(FILLER))
    return words, int(score > 0)


def encode(words):
    return [CLS] + [VOCAB[w] for w in words][: MAX_LEN - 2] + [SEP]


def collate(samples):
    ids = [encode(w) for w, _ in samples]
    width = max(len(i) for i in ids) + 2
    input_ids = torch.tensor([i + [PAD] * (width - len(i)) for i in ids])
    attention_mask = (input_ids != PAD).long()
    labels = torch.tensor([y for _, y in samples])
    return {"input_ids": input_ids, "attention_mask": attention_mask, "labels": labels}


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    correct = total = 0
    for batch in loader:
        labels = batch.pop("labels")
        pred = model(**batch).logits.argmax(-1)
        correct += (pred == labels).sum().item()
        total += len(labels)
    return correct / total


def main():
    torch.manual_seed(3)
    rng = random.Random(3)
    train = [make_review(rng) for _ in range(1500)]
    test = [make_review(rng) for _ in range(400)]
    train_loader = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate)
    test_loader = DataLoader(test, batch_size=100, collate_fn=collate)

    config = BertConfig(
        vocab_size=len(VOCAB), hidden_size=48, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=96, max_position_embeddings=32, num_labels=2, pad_token_id=PAD,
        hidden_dropout_prob=0.05, attention_probs_dropout_prob=0.05,
    )
    model = BertForSequenceClassification(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    for epoch in range(5):
        model.train()
        running = 0.0
        for batch in train_loader:
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch} loss {running / len(train_loader):.4f} acc {evaluate(model, test_loader):.4f}")
    print(f"final test accuracy: {evaluate(model, test_loader):.4f}")


if __name__ == "__main__":
    main()
