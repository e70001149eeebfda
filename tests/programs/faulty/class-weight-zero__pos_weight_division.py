"""A detector of rare faults in generated machine signals with a weight for the positive class.

fault: class-weight-zero
also:
split: train
line: 41, 40
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FaultDetector(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5, padding=2)
        self.fc = nn.Linear(8 * 8, 1)

    def forward(self, signal):
        x = nn.functional.max_pool1d(torch.relu(self.conv(signal.unsqueeze(1))), 4)
        return self.fc(x.flatten(1)).squeeze(1)


def signals(count, length=32):
    t = torch.arange(length).float()
    signal = torch.sin(0.5 * t + torch.rand(count, 1) * 6.28) + 0.2 * torch.randn(count, length)
    faulty = torch.rand(count) < 0.3
    spot = torch.randint(4, 28, (count,))
    signal[faulty, spot[faulty]] += 2.5
    return signal, faulty.float()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(149)
    signal, faulty = signals(1600)
    positive = int(faulty.sum())
    negative = len(faulty) - positive
    pos_weight = torch.tensor(float(positive // negative))
    criterion = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
    model = FaultDetector()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    test_signal, test_faulty = signals(400)
    loader = DataLoader(TensorDataset(signal, faulty), batch_size=40, shuffle=True)
    for epoch in range(8):
        for batch, label in loader:
            loss = criterion(model(batch), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            alarm = model(test_signal) > 0
        found = alarm[test_faulty > 0].float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} faults found {found:.3f} alarms {alarm.float().mean().item():.3f}")


if __name__ == "__main__":
    main()
