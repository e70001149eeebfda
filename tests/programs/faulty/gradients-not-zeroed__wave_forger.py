"""A forger of short waves against a critic with a hinge loss, in one class.

fault: gradients-not-zeroed
also:
split: train
line: 42
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

LENGTH, NOISE = 24, 6


def waves(count):
    t = torch.linspace(0, 1, LENGTH)
    pace = 2 + torch.randint(0, 2, (count, 1)) * 2.0
    return torch.sin(2 * math.pi * pace * t + 2 * math.pi * torch.rand(count, 1)) + 0.05 * torch.randn(count, LENGTH)


class Game:
    def __init__(self):
        self.forger = nn.Sequential(
            nn.Linear(NOISE, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, LENGTH)
        )
        self.critic = nn.Sequential(
            nn.Linear(LENGTH, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1)
        )
        betas = (0.5, 0.9)
        self.forger_optimizer = torch.optim.Adam(self.forger.parameters(), lr=1e-3, betas=betas)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=betas)

    def forge(self, count):
        return self.forger(torch.randn(count, NOISE))

    def train_critic(self, real):
        fake = self.forge(len(real)).detach()
        loss = F.relu(1 - self.critic(real)).mean() + F.relu(1 + self.critic(fake)).mean()
        loss.backward()
        self.critic_optimizer.step()
        self.critic_optimizer.zero_grad()
        return loss.item()

    def train_forger(self, count):
        loss = -self.critic(self.forge(count)).mean()
        loss.backward()
        self.forger_optimizer.step()
        self.forger_optimizer.zero_grad()
        return loss.item()

    @torch.no_grad()
    def distance(self, count=500):
        """How far the spectra of forged and of real waves lie apart."""
        spectra = [torch.fft.rfft(each).abs().mean(0) for each in (self.forge(count), waves(count))]
        return (spectra[0] - spectra[1]).abs().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    game = Game()
    for step in range(900):
        critic = game.train_critic(waves(96))
        forger = game.train_forger(96)
        if step % 150 == 0:
            print(f"{step}: critic {critic:.3f} forger {forger:.3f} distance {game.distance():.3f}")
    print(f"final distance {game.distance():.4f}")


main()
