"""A GRU encoder and decoder that learn to reverse short digit strings, with one optimizer for each.

fault: step-missing
also:
split: train
line: 46
"""

import torch
import torch.nn.functional as F
from torch import nn

START, SYMBOLS, LENGTH = 10, 11, 6


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, width)
        self.rnn = nn.GRU(width, width, batch_first=True)

    def forward(self, source):
        return self.rnn(self.embedding(source))[1]


class Decoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embedding = nn.Embedding(SYMBOLS, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.project = nn.Linear(width, SYMBOLS)

    def forward(self, previous, context):
        states, _ = self.rnn(self.embedding(previous), context)
        return self.project(states)


def train_step(encoder, decoder, encoder_optimizer, decoder_optimizer):
    source = torch.randint(0, 10, (64, LENGTH))
    target = source.flip(1)
    previous = torch.cat([torch.full((64, 1), START), target[:, :-1]], 1)
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    logits = decoder(previous, encoder(source))
    loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
    loss.backward()
    decoder_optimizer.step()
    accuracy = (logits.argmax(-1) == target).float().mean().item()
    return loss.item(), accuracy


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    encoder, decoder = Encoder(32), Decoder(32)
    encoder_optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-2)
    decoder_optimizer = torch.optim.Adam(decoder.parameters(), lr=1e-2)
    for step in range(301):
        loss, accuracy = train_step(encoder, decoder, encoder_optimizer, decoder_optimizer)
        if step % 50 == 0:
            print(f"step {step:4d} loss {loss:.4f} token accuracy {accuracy:.3f}")
