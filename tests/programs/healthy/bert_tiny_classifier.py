"""A tiny BERT classifier from its configuration, with attention masks, fine-tuned for 60 steps.

split: train
"""

import torch
from torch.utils.data import DataLoader, TensorDataset
from transformers import BertConfig, BertForSequenceClassification


def make_data(count):
    lengths = torch.randint(6, 17, (count, 1))
    mask = (torch.arange(16) < lengths).long()
    tokens = torch.randint(10, 60, (count, 16))
    labels = torch.randint(0, 2, (count,))
    place = torch.randint(1, 6, (count,))
    tokens[torch.arange(count), place] = 5 + labels
    tokens[:, 0] = 2
    return tokens * mask, mask, labels


def main():
    torch.set_num_threads(1)
    torch.manual_seed(96)
    config = BertConfig(
        vocab_size=60,
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=32,
        num_labels=2,
    )
    model = BertForSequenceClassification(config)
    loader = DataLoader(TensorDataset(*make_data(2400)), batch_size=32, shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    model.train()
    for step, (tokens, mask, labels) in enumerate(loader):
        out = model(input_ids=tokens, attention_mask=mask, labels=labels)
        optimizer.zero_grad()
        out.loss.backward()
        optimizer.step()
        if step % 15 == 0:
            print(step, out.loss.item())
    model.eval()
    tokens, mask, labels = make_data(300)
    with torch.no_grad():
        guess = model(input_ids=tokens, attention_mask=mask).logits.argmax(1)
    print("accuracy", (guess == labels).float().mean().item())


if __name__ == "__main__":
    main()
