"""Monthly rent of flats from size, age, floor ... and the district.

fault: unused-parameter
also:
split: test
line: 52
"""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Flats(Dataset):
    districts = 40

    def __init__(self, n, seed, stats=None):
        world = torch.Generator().manual_seed(99)
        level = 3.0 * torch.randn(self.districts, generator=world)
        slope = 0.3 * torch.randn(self.districts, generator=world)
        g = torch.Generator().manual_seed(seed)
        size = 30 + 90 * torch.rand(n, generator=g)
        age = 80 * torch.rand(n, generator=g)
        floor = torch.randint(0, 8, (n,), generator=g).float()
        lift = (torch.rand(n, generator=g) < 0.5).float()
        self.where = torch.randint(0, self.districts, (n,), generator=g)
        per_m2 = 14 + level[self.where] - 0.05 * age + slope[self.where] * floor + 0.4 * lift * floor
        rent = per_m2 * size + 25 * torch.randn(n, generator=g)
        num = torch.stack([size, age, floor, lift], 1)
        if stats is None:
            stats = num.mean(0), num.std(0), rent.mean(), rent.std()
        self.stats = stats
        self.num = (num - stats[0]) / stats[1]
        self.rent = (rent - stats[2]) / stats[3]

    def __len__(self):
        return len(self.rent)

    def __getitem__(self, i):
        return self.num[i], self.where[i], self.rent[i]


class RentModel(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.numeric = nn.Sequential(nn.Linear(4, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.district = nn.Embedding(Flats.districts, dim)
        self.trunk = nn.Sequential(nn.ReLU(), nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def forward(self, num, where):
        n = self.numeric(num)
        d = self.district(where)
        h = n
        return self.trunk(h).squeeze(-1)


def train_epoch(model, loader, opt):
    model.train()
    total = 0.0
    for num, where, rent in loader:
        loss = nn.functional.mse_loss(model(num, where), rent)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def r_squared(model, data):
    model.eval()
    err = (model(data.num, data.where) - data.rent).pow(2).mean()
    return (1 - err / data.rent.var()).item()


def main():
    torch.manual_seed(12)
    train = Flats(6000, 1)
    val = Flats(1200, 2, stats=train.stats)
    loader = DataLoader(train, batch_size=64, shuffle=True)
    model = RentModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 15)
    for epoch in range(15):
        loss = train_epoch(model, loader, opt)
        sched.step()
        print(f"epoch {epoch:2d} mse {loss:.4f} val R2 {r_squared(model, val):.4f}")
    print(f"score (R2) {r_squared(model, val):.4f}")


if __name__ == "__main__":
    main()
