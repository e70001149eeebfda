"""The Python door, as one would use it in a notebook: start a watch, train, log, stop, read.

Run it with:  python examples/notebook_style.py
"""

# %% A model and some data
from collections.abc import Mapping

import torch
from torch import nn

import stetho

torch.set_num_threads(1)
torch.manual_seed(0)
inputs = torch.rand(512, 2) * 4 - 2
targets = (inputs[:, :1] * inputs[:, 1:]).sin()
model = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)


# %% Code that runs along
class Announce(stetho.Callback):
    """Says something every hundred steps."""

    def on_step_end(self, step: int, row: Mapping[str, object]) -> None:
        """Called by stetho when a step is over."""
        if step % 100 == 0:
            print(f"step {step}: loss {row['loss']:.4f}, measured: {row['tier']}")


# %% Start watching; no `with`, because a notebook has no block around its cells
watch = stetho.watch(model, optimizer, callbacks=Announce(), name="notebook")

# %% Train
for step in range(500):
    chosen = torch.randint(len(inputs), (64,))
    loss = nn.functional.mse_loss(model(inputs[chosen]), targets[chosen])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        with torch.no_grad():
            stetho.log(error=(model(inputs) - targets).abs().max().item())

# %% Stop, and read what was recorded
watch.stop()
run = stetho.open_run(watch.path)
print(
    run.query(
        "select step, value as largest_error from metrics where name = 'error' order by step desc limit 3"
    ).to_pandas()
)
steps, ratio = run.values("update.ratio", "2.weight")
print(f"2.weight moves by {ratio.mean():.2e} of its size in a step (mean over {len(steps)} steps)")
