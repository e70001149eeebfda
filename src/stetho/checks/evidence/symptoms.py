"""Groups of checks that report symptoms, for causes that can show themselves in any of them."""

NOT_LEARNING = (
    "class-imbalance",
    "collapsed-output",
    "frozen-parameter",
    "labels-independent-of-inputs",
    "learning-rate-too-low",
    "loss-plateau",
    "metric-not-following",
    "stopped-early",
    "too-small-model",
    "unused-parameter",
    "vanishing-gradient",
)
"""What a model shows that does not move, or moves where nobody wants it."""

RUNNING_AWAY = (
    "activation-scale",
    "dead-relu",
    "divergence",
    "overflow",
    "exploding-gradient",
    "learning-rate-too-high",
    "loss-spike",
    "saturated-activation",
)
"""What a model shows whose steps are too large."""

OVERFITTED = ("evaluation-at-chance", "overfitting", "metric-not-following", "too-few-examples")
"""What a model shows that learns its training data by heart."""
