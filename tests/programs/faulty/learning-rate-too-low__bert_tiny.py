"""A tiny BERT.

fault: learning-rate-too-low
also:
split: test
line: 54
"""

import random
import torch
from transformers import BertConfig, BertForSequenceClassification

POS = ["good", "nice", "sweet", "fresh", "tasty", "crisp"]
NEG = ["bad", "bitter", "stale", "burnt", "soggy", "bland"]
REST = ["the", "soup", "bread", "was", "and", "very", "we", "had", "salad", "with", "our", "lunch", "today"]
WORDS = ["[PAD]", "[CLS]", "[SEP]"] + POS + NEG + REST
IDX = {w: i for i, w in enumerate(WORDS)}
LENGTH = 12


def sentence(rng):
    label = rng.randint(0, 1)
    words = [rng.choice(REST) for _ in range(rng.randint(4, 8))]
    for w in rng.sample(POS if label else NEG, 2):
        words.insert(rng.randint(0, len(words)), w)
    return words[:LENGTH - 2], label


def encode(words):
    ids = [IDX["[CLS]"]] + [IDX[w] for w in words] + [IDX["[SEP]"]]
    pad = LENGTH - len(ids)
    return ids + [0] * pad, [1] * len(ids) + [0] * pad


def build_set(n, rng):
    ids, masks, labels = [], [], []
    for _ in range(n):
        w, l = sentence(rng)
        i, m = encode(w)
        ids.append(i)
        masks.append(m)
        labels.append(l)
    return torch.tensor(ids), torch.tensor(masks), torch.tensor(labels)


def main():
    torch.manual_seed(0)
    rng = random.Random(0)
    train, test = build_set(640, rng), build_set(200, rng)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=LENGTH, num_labels=2)
    model = BertForSequenceClassification(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-7, weight_decay=0.01)
    for epoch in range(5):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train[0])).split(32):
            out = model(input_ids=train[0][idx], attention_mask=train[1][idx], labels=train[2][idx])
            optimizer.zero_grad()
            out.loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += out.loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            logits = model(input_ids=test[0], attention_mask=test[1]).logits
        acc = (logits.argmax(-1) == test[2]).float().mean().item()
        print(f"epoch {epoch + 1}: train loss {total / len(train[0]):.4f} test acc {acc:.3f}")


if __name__ == "__main__":
    main()
