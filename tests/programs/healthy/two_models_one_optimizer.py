"""An encoder and a decoder, two models in one optimizer.

split: train
"""

import itertools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(37)
encoder = nn.Sequential(nn.Linear(12, 6), nn.Tanh(), nn.Linear(6, 2))
decoder = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 12))
optimizer = torch.optim.Adam(itertools.chain(encoder.parameters(), decoder.parameters()), lr=1e-2)
mixing = torch.randn(2, 12)
for _ in range(30):
    x = torch.randn(40, 2) @ mixing
    loss = nn.functional.mse_loss(decoder(encoder(x)), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", loss.item())
