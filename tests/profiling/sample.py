"""A small profile with round numbers."""

from stetho.profiling.records import (
    Keeper,
    LayerCost,
    LineCost,
    LoaderCost,
    Measure,
    MemoryUse,
    OpCost,
    Profile,
    Span,
    Trial,
    Verdict,
)

ZERO = Measure()
PROFILE = Profile(
    steps=20,
    step=Measure(0.010, 0.001, 0.009, 0.012),
    data=Measure(0.002),
    phases={
        "data": Measure(0.002),
        "forward": Measure(0.003),
        "backward": Measure(0.004),
        "optimizer": Measure(0.0005),
        "other": Measure(0.0005),
        "before": ZERO,
    },
    layers=(
        LayerCost("model", "Net", 0, 1, Measure(0.001), ZERO, Measure(0.003), Measure(0.004)),
        LayerCost(
            "model.fc",
            "Linear",
            1,
            2,
            Measure(0.002, 0.0001),
            Measure(0.004, 0.0002),
            Measure(0.002),
            Measure(0.004),
            optimizer=0.0005,
            forward_flops=4_000_000,
            backward_flops=8_000_000,
            saved=2048,
            allocated=4096,
            parameters=1024,
            gradients=1024,
            state=2048,
        ),
    ),
    ops=(OpCost("aten::mm", "forward", 2, Measure(0.002), Measure(0.002), 4_000_000, "model.fc"),),
    lines=(LineCost("train.py:7", "main", "loss.backward()", "", 0.004),),
    memory=MemoryUse(
        1024, 1024, 2048, 2048, 8192, 10**8, 0.0, (Keeper("losses", "main", ("train.py:9",), 1.0, 4.0, 9.0),)
    ),
    loader=LoaderCost("DataLoader", "train.py:3", 2, 8, 4096, 512, ("[0]: float32[8, 128]",), 300, 1e-4, 2e-4),
    trials=(Trial("as it is", 100, 800, 40), Trial("autocast to bfloat16", 0.0, problem="RuntimeError: no")),
    verdict=Verdict("compute", "compute bound: it is", {"compute": 0.6}, ("num_workers=2: faster",)),
    stacks=((("forward", "model", "model.fc", "aten::mm"), 0.002), (("other",), 0.0005)),
    spans=(Span("model.fc", "layer", "model.fc", 0, 0.001, 0.002, 1),),
    added=0.001,
    notes=("1 recorded step was left out",),
)
