"""A least-squares adversarial pair that learns to draw handwritten digits.

fault: adversaries-agree
also: wrong-loss-sign
split: test
line: 53
"""
import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)


class Pair:
    def __init__(self, latent=16, lr=1e-3):
        self.latent = latent
        self.draw = nn.Sequential(
            nn.Linear(latent, 96), nn.ReLU(), nn.Linear(96, 128), nn.ReLU(), nn.Linear(128, 64), nn.Sigmoid()
        )
        self.tell = nn.Sequential(nn.Linear(64, 128), nn.LeakyReLU(0.2), nn.Linear(128, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
        self.drawing = torch.optim.RMSprop(self.draw.parameters(), lr=lr)
        self.telling = torch.optim.RMSprop(self.tell.parameters(), lr=lr)
        self.mse = nn.MSELoss()

    def noise(self, count):
        return torch.randn(count, self.latent)

    def tell_step(self, images):
        made = self.draw(self.noise(len(images))).detach()
        real_loss = self.mse(self.tell(images), torch.full((len(images), 1), 1.0))
        made_loss = self.mse(self.tell(made), torch.full((len(images), 1), 0.0))
        loss = 0.5 * (real_loss + made_loss)
        self.telling.zero_grad()
        loss.backward()
        self.telling.step()
        return loss.item()

    def draw_step(self, count):
        verdict = self.tell(self.draw(self.noise(count)))
        loss = self.drawing_loss(verdict)
        self.drawing.zero_grad()
        loss.backward()
        self.drawing.step()
        return loss.item()

    @torch.no_grad()
    def distance(self, images):
        made = self.draw(self.noise(len(images)))
        return torch.cdist(images, made).min(dim=1).values.mean().item()

    def drawing_loss(self, verdict):
        target = torch.full_like(verdict, 0.0)
        return self.mse(verdict, target)


def main():
    torch.manual_seed(5)
    images = torch.tensor(load_digits().images, dtype=torch.float32).flatten(1) / 16
    pair = Pair()
    for epoch in range(25):
        for chunk in torch.randperm(1500).split(64):
            told = pair.tell_step(images[chunk])
            drawn = pair.draw_step(len(chunk))
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1}: telling {told:.4f}, drawing {drawn:.4f}, nearest drawing {pair.distance(images[1500:]):.3f}")


main()
