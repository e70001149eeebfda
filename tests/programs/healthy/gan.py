"""A generator and a discriminator with an optimizer each, stepping in turn.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


def build_generator(noise, hidden, size):
    return nn.Sequential(nn.Linear(noise, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, size))


def build_discriminator(size, hidden):
    return nn.Sequential(nn.Linear(size, hidden), nn.LeakyReLU(0.2), nn.Dropout(0.1), nn.Linear(hidden, 1))


def train(steps=20, batch=32, noise=8):
    generator = build_generator(noise, 32, 2)
    discriminator = build_discriminator(2, 32)
    g_optimizer = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))
    d_optimizer = torch.optim.RMSprop(discriminator.parameters(), lr=2e-3)
    real_label, fake_label = torch.ones(batch, 1), torch.zeros(batch, 1)

    for _ in range(steps):
        angle = torch.rand(batch) * 6.2832
        real = torch.stack([angle.cos(), angle.sin()], 1)
        fake = generator(torch.randn(batch, noise))

        d_optimizer.zero_grad()
        d_loss = F.binary_cross_entropy_with_logits(discriminator(real), real_label)
        d_loss = d_loss + F.binary_cross_entropy_with_logits(discriminator(fake.detach()), fake_label)
        d_loss.backward()
        d_optimizer.step()
        print("D loss", d_loss.item())

        g_optimizer.zero_grad()
        g_loss = F.binary_cross_entropy_with_logits(discriminator(fake), real_label)
        g_loss.backward()
        g_optimizer.step()
        print("G loss", g_loss.item())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2)
    train()
