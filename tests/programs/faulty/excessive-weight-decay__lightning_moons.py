"""Two moons with Lightning.

fault: excessive-weight-decay
also:
split: test
line: 24
"""

import logging
import warnings

import pytorch_lightning as pl
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_moons
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)


class Moons(pl.LightningModule):
    def __init__(self, lr=0.01, weight_decay=0.5):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(), nn.Linear(32, 32), nn.LeakyReLU(), nn.Linear(32, 2))

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self.net(x), y)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_acc", (self.net(x).argmax(1) == y).float().mean(), on_epoch=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hparams.lr, weight_decay=self.hparams.weight_decay)


def loaders():
    x, y = make_moons(1500, noise=0.15, random_state=2)
    x = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32)
    y = torch.tensor(y)
    return (DataLoader(TensorDataset(x[:1200], y[:1200]), batch_size=40, shuffle=True),
            DataLoader(TensorDataset(x[1200:], y[1200:]), batch_size=100))


if __name__ == "__main__":
    pl.seed_everything(1, verbose=False)
    train, val = loaders()
    module = Moons()
    trainer = pl.Trainer(max_epochs=10, accelerator="cpu", logger=False, enable_checkpointing=False,
                         enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(module, train, val)
    print("val acc", trainer.callback_metrics["val_acc"].item(), "loss", trainer.callback_metrics["train_loss"].item())
