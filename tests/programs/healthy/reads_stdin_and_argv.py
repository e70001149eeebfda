"""Numbers come from standard input, settings from the command line: `seq 60 | python … --lr 0.05 extra`.

split: train
"""

import os
import sys

import torch

print("arguments:", sys.argv[1:])
print("script:", os.path.basename(sys.argv[0]), "beside me:", os.path.basename(sys.path[0]), "name:", __name__)
rate = float(sys.argv[sys.argv.index("--lr") + 1]) if "--lr" in sys.argv else 0.1
numbers = [float(word) for word in sys.stdin.read().split()] or [float(n) for n in range(20)]

torch.set_num_threads(1)
torch.manual_seed(34)
values = torch.tensor(numbers).unsqueeze(1)
values = (values - values.mean()) / values.std()
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
for step in range(20):
    loss = torch.nn.functional.mse_loss(model(values), 2 * values + 1)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    sys.stdout.write(f"step {step} loss {loss.item()!r}\n")
