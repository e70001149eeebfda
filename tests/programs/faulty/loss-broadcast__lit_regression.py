"""A regression with a module that knows its own steps.

fault: loss-broadcast
also:
split: test
line: 75, 76
"""

import torch
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class LitModule(nn.Module):
    def training_step(self, batch, batch_idx):
        raise NotImplementedError

    def validation_step(self, batch, batch_idx):
        raise NotImplementedError

    def configure_optimizers(self):
        raise NotImplementedError


class MiniTrainer:
    def __init__(self, max_epochs, log_every=5):
        self.max_epochs = max_epochs
        self.log_every = log_every

    def fit(self, module, train_loader, val_loader):
        optimizer, scheduler = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            module.train()
            running = 0.0
            for i, batch in enumerate(train_loader):
                loss = module.training_step(batch, i)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                running += loss.item()
            scheduler.step()
            if epoch % self.log_every == 0 or epoch == self.max_epochs - 1:
                print(f"epoch {epoch:3d} loss {running / len(train_loader):.4f} "
                      f"val_r2 {self.validate(module, val_loader):.4f}")

    @torch.no_grad()
    def validate(self, module, loader):
        module.eval()
        preds, targets = [], []
        for i, batch in enumerate(loader):
            p, t = module.validation_step(batch, i)
            preds.append(p.reshape(-1))
            targets.append(t.reshape(-1))
        return r2_score(torch.cat(targets).numpy(), torch.cat(preds).numpy())


class Regressor(LitModule):
    def __init__(self, in_dim, hidden=64, lr=3e-3, epochs=40):
        super().__init__()
        self.lr, self.epochs = lr, epochs
        self.net = nn.Sequential(
            nn.Linear(in_dim, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        pred = self(x)
        return (pred - y).pow(2).mean()

    def validation_step(self, batch, batch_idx):
        x, y = batch
        return self(x), y

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.lr)
        return opt, torch.optim.lr_scheduler.CosineAnnealingLR(opt, self.epochs)


def make_loaders(seed=0, batch_size=64):
    x, y = make_friedman1(n_samples=3000, n_features=10, noise=0.5, random_state=seed)
    xtr, xva, ytr, yva = train_test_split(x, y, test_size=0.2, random_state=seed)
    mean, std = ytr.mean(), ytr.std()
    as_t = lambda a: torch.tensor(a, dtype=torch.float32)
    train = TensorDataset(as_t(xtr * 2 - 1), as_t((ytr - mean) / std))
    val = TensorDataset(as_t(xva * 2 - 1), as_t((yva - mean) / std))
    return DataLoader(train, batch_size, shuffle=True), DataLoader(val, 256)


def main():
    torch.manual_seed(0)
    train_loader, val_loader = make_loaders()
    module = Regressor(in_dim=10, epochs=40)
    trainer = MiniTrainer(max_epochs=40)
    trainer.fit(module, train_loader, val_loader)
    print(f"final val R2: {trainer.validate(module, val_loader):.4f}")


if __name__ == "__main__":
    main()
