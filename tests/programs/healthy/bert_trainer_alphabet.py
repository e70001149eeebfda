"""A small BERT from a config, trained with transformers' Trainer to tell which half of the alphabet prevails.

split: test
"""
import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed


class Strings(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            label = int(torch.randint(0, 2, (1,), generator=g))
            p = torch.full((28,), 1.0)
            p[:2] = 0
            p[2 + 13 * label:15 + 13 * label] = 2.5
            length = int(torch.randint(8, 17, (1,), generator=g))
            ids = torch.multinomial(p, length, replacement=True, generator=g)
            pad = 16 - length
            self.rows.append({"input_ids": torch.cat([torch.tensor([1]), ids, torch.zeros(pad, dtype=torch.long)]),
                              "attention_mask": torch.tensor([1] * (length + 1) + [0] * pad), "labels": label})

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def metrics(p):
    return {"accuracy": float((np.argmax(p.predictions, -1) == p.label_ids).mean())}


def main():
    set_seed(0)
    config = BertConfig(vocab_size=28, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
                        max_position_embeddings=32, hidden_dropout_prob=0.05, attention_probs_dropout_prob=0.05)
    model = BertForSequenceClassification(config)
    args = TrainingArguments(output_dir=__import__("tempfile").mkdtemp(), num_train_epochs=4, per_device_train_batch_size=32,
                             learning_rate=1e-3, warmup_steps=20, save_strategy="no", report_to=[], logging_steps=50,
                             use_cpu=True, disable_tqdm=True, seed=0)
    trainer = Trainer(model=model, args=args, train_dataset=Strings(1400, 0), eval_dataset=Strings(300, 1), compute_metrics=metrics)
    trainer.train()
    print("SCORE", trainer.evaluate()["eval_accuracy"])


if __name__ == "__main__":
    main()
