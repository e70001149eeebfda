"""Half precision, and an average of the weights that is evaluated.

fault: weights-not-loaded
also:
split: test
line: 24
"""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

device_type = "cpu"
seed, epochs, batch_size, base_lr = 77, 10, 64, 2e-3


class ModelEMA:
    """Keeps a shadow copy of the model for evaluation."""

    def __init__(self, model, decay=0.9999):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        src = model.state_dict()
        for name, value in self.module.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(self.decay).add_(src[name].detach(), alpha=1.0 - self.decay)
            else:
                value.copy_(src[name])


class ConvNet(nn.Module):
    def __init__(self, width=16, n_classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1, bias=False)
        self.norm1 = nn.GroupNorm(4, width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1, bias=False)
        self.norm2 = nn.GroupNorm(4, 2 * width)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(2 * width * 4, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.silu(self.norm1(self.conv1(x))), 2)
        x = F.max_pool2d(F.silu(self.norm2(self.conv2(x))), 2)
        return self.fc(self.drop(x.flatten(1)))


def get_data():
    images, labels = load_digits(return_X_y=True)
    images = (images / 8.0 - 1.0).reshape(-1, 1, 8, 8)
    parts = train_test_split(images, labels, test_size=0.25, random_state=seed, stratify=labels)
    return (torch.tensor(parts[0]).float(), torch.tensor(parts[2]),
            torch.tensor(parts[1]).float(), torch.tensor(parts[3]))


@torch.inference_mode()
def test(net, x, y):
    with torch.autocast(device_type, dtype=torch.bfloat16):
        logits = net(x)
    return (logits.float().argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(seed)
    x_train, y_train, x_test, y_test = get_data()
    net = ConvNet()
    ema = ModelEMA(net)
    opt = torch.optim.AdamW(net.parameters(), lr=base_lr, weight_decay=1e-2)
    for epoch in range(epochs):
        net.train()
        perm = torch.randperm(len(x_train))
        total = 0.0
        for idx in perm.split(batch_size):
            opt.zero_grad(set_to_none=True)
            with torch.autocast(device_type, dtype=torch.bfloat16):
                logits = net(x_train[idx])
            loss = F.cross_entropy(logits.float(), y_train[idx], label_smoothing=0.05)
            loss.backward()
            opt.step()
            ema.update(net)
            total += loss.item() * len(idx)
        print(f"[{epoch:02d}] loss {total / len(x_train):.4f} ema acc {test(ema.module, x_test, y_test):.4f}")
    print(f"final EMA test accuracy: {test(ema.module, x_test, y_test):.4f}")


if __name__ == "__main__":
    main()
