"""A small BERT by the Trainer: do the first and the last symbol agree?

split: test
"""

import tempfile

import numpy as np
import torch
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed

set_seed(10)


class Palindromes(Dataset):
    """Sequences whose first and last symbols agree, or not."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.ids = torch.randint(3, 9, (n, 8), generator=g)
        self.ids[:, 0] = 1
        self.y = torch.randint(0, 2, (n,), generator=g)
        self.ids[:, 7] = torch.where(self.y == 1, self.ids[:, 1], (self.ids[:, 1] - 3 + torch.randint(1, 6, (n,), generator=g)) % 6 + 3)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "attention_mask": torch.ones(8, dtype=torch.long), "labels": self.y[i]}


config = BertConfig(vocab_size=9, hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, max_position_embeddings=8, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, num_labels=2)
model = BertForSequenceClassification(config)
with tempfile.TemporaryDirectory() as out:
    args = TrainingArguments(output_dir=out, num_train_epochs=6, per_device_train_batch_size=64, learning_rate=2e-3, warmup_steps=40, logging_steps=50, save_strategy="no", eval_strategy="epoch", report_to=[], disable_tqdm=True, use_cpu=True, seed=10)
    trainer = Trainer(model=model, args=args, train_dataset=Palindromes(4000, 0), eval_dataset=Palindromes(500, 1),
                      compute_metrics=lambda p: {"accuracy": float((np.argmax(p.predictions, 1) == p.label_ids).mean())})
    trainer.train()
    print(trainer.evaluate())
