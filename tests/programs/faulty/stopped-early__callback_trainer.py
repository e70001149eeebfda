"""Callback-based trainer with best-model tracking for a sine-product surface.

fault: stopped-early
also:
split: test
line: 29
"""
import torch
from torch import nn


class Callback:
    def on_epoch_end(self, trainer, epoch, logs):
        pass


class Printer(Callback):
    def on_epoch_end(self, trainer, epoch, logs):
        if epoch % 10 == 0:
            print(f"epoch {epoch} " + " ".join(f"{k}={v:.4f}" for k, v in logs.items()))


class StopWhenFlat(Callback):
    def __init__(self, monitor="val_loss", patience=4):
        self.monitor, self.patience, self.best, self.wait = monitor, patience, None, 0

    def on_epoch_end(self, trainer, epoch, logs):
        value = logs[self.monitor]
        if self.best is None or value > self.best:
            self.best, self.wait = value, 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                trainer.stop = True


class Trainer:
    def __init__(self, net, opt, callbacks):
        self.net, self.opt, self.callbacks, self.stop = net, opt, callbacks, False

    def fit(self, tr, va, epochs, bs=50):
        x, y = tr
        for epoch in range(epochs):
            for i in torch.randperm(len(x)).split(bs):
                loss = nn.functional.mse_loss(self.net(x[i]), y[i])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            with torch.no_grad():
                logs = {"loss": loss.item(), "val_loss": nn.functional.mse_loss(self.net(va[0]), va[1]).item()}
            for c in self.callbacks:
                c.on_epoch_end(self, epoch, logs)
            if self.stop:
                print("stopping after epoch", epoch)
                break
        return logs


torch.manual_seed(64)
torch.set_num_threads(1)
x = torch.rand(1500, 2) * 4 - 2
y = (torch.sin(2 * x[:, :1]) * torch.cos(2 * x[:, 1:]) + 0.02 * torch.randn(1500, 1))
net = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
trainer = Trainer(net, torch.optim.Adam(net.parameters(), lr=2e-3), [Printer(), StopWhenFlat(patience=6)])
logs = trainer.fit((x[:1200], y[:1200]), (x[1200:], y[1200:]), 60)
print(f"final validation R2 {1 - logs['val_loss'] / y[1200:].var().item():.4f}")
