"""Lightning moons.

split: train
"""

import warnings

import pytorch_lightning as pl
import torch
from sklearn.datasets import make_moons
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")


class Moons(pl.LightningModule):
    def __init__(self, lr=0.05):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
        self.loss = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, _):
        x, y = batch
        return self.loss(self(x), y)

    def validation_step(self, batch, _):
        x, y = batch
        self.log("acc", (self(x).argmax(1) == y).float().mean(), prog_bar=False)

    def configure_optimizers(self):
        opt = torch.optim.SGD(self.parameters(), lr=self.hparams.lr, momentum=0.9)
        sched = torch.optim.lr_scheduler.StepLR(opt, step_size=2, gamma=0.5)
        return {"optimizer": opt, "lr_scheduler": {"scheduler": sched, "interval": "epoch"}}


def loaders():
    X, y = make_moons(1500, noise=0.12, random_state=0)
    X, y = torch.tensor(X, dtype=torch.float32), torch.tensor(y)
    tr = DataLoader(TensorDataset(X[:1200], y[:1200]), batch_size=30, shuffle=True)
    va = DataLoader(TensorDataset(X[1200:], y[1200:]), batch_size=150)
    return tr, va


if __name__ == "__main__":
    pl.seed_everything(0, verbose=False)
    model = Moons()
    trainer = pl.Trainer(max_epochs=8, accelerator="cpu", logger=False, enable_checkpointing=False,
                         enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(model, *loaders())
    print("SCORE", trainer.callback_metrics["acc"].item())
