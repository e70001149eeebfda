"""A tiny BERT that is trained by the Trainer of transformers, evaluated after each epoch.

split: train
"""

import tempfile

import torch
from transformers import BertConfig, BertForSequenceClassification, PrinterCallback, Trainer, TrainingArguments

torch.set_num_threads(1)
torch.manual_seed(0)


class Majority(torch.utils.data.Dataset):
    """Whether the larger part of the first eight tokens is large."""

    def __init__(self, count, seed):
        draw = torch.Generator().manual_seed(seed)
        self.ids = torch.randint(5, 100, (count, 12), generator=draw)
        self.labels = (self.ids[:, :7] > 52).sum(1).gt(3).long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        ids = self.ids[index]
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": self.labels[index]}


def accuracy(found):
    return {"accuracy": float((found.predictions.argmax(-1) == found.label_ids).mean())}


config = BertConfig(
    vocab_size=100,
    hidden_size=48,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=96,
    max_position_embeddings=16,
    num_labels=2,
)
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder,
        num_train_epochs=4,
        per_device_train_batch_size=32,
        per_device_eval_batch_size=128,
        learning_rate=2e-3,
        warmup_steps=10,
        eval_strategy="epoch",
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
    )
    trainer = Trainer(
        model=BertForSequenceClassification(config),
        args=arguments,
        train_dataset=Majority(1500, 0),
        eval_dataset=Majority(300, 1),
        compute_metrics=accuracy,
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    print("accuracy", round(trainer.evaluate()["eval_accuracy"], 4))
