"""Numbers that are drawn: weights, counts and ranges that nothing can be drawn from."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained, named
from stetho.explaining.scene import Explanation, Scene


@explains(
    "draw-from-nothing",
    r"invalid multinomial distribution \(sum of probabilities <= 0\)",
)
def nothing(_match: Match[str], scene: Scene) -> Explanation:
    """`invalid multinomial distribution (sum of probabilities <= 0)`."""
    title = f"`{scene.code}`: all weights of a row are 0, so nothing can be drawn from it"
    return explained(
        scene,
        title,
        "softmax of the logits, whose result is never 0 all over",
        "a mask that leaves at least one choice in every row",
    )


@explains(
    "draw-too-many",
    r"cannot sample n_sample > prob_dist\.size\(-1\) samples without replacement",
)
def too_many(_match: Match[str], scene: Scene) -> Explanation:
    """`cannot sample n_sample > prob_dist.size(-1) samples without replacement`."""
    tensor = scene.operand
    there = f": {named(tensor)} has {tensor.shape[-1]}" if tensor is not None and tensor.shape else ""
    title = f"`{scene.code}` draws more values than there are, each at most once{there}"
    return explained(scene, title, "replacement=True, to draw a value several times", "fewer samples")


@explains(
    "negative-deviation",
    r"normal expects (?:all elements of )?std >= 0\.0",
)
def negative_deviation(_match: Match[str], scene: Scene) -> Explanation:
    """`normal expects all elements of std >= 0.0`."""
    title = f"`{scene.code}`: a standard deviation is below 0, or no number"
    return explained(
        scene,
        title,
        "`log_std.exp()` of what the network gives, or F.softplus(…) + 1e-4",
        "stetho run --break nan, when it is no number",
    )


@explains(
    "outside-support",
    r"Expected value argument \(Tensor of shape \(([\d, ]*)\)\) to be within the support \((.+?)\) of the "
    r"distribution (\w+)",
)
def outside_support(match: Match[str], scene: Scene) -> Explanation:
    """`Expected value argument … to be within the support (Interval(0, 1)) of the distribution Beta()`."""
    title = f"`{scene.code}` asks {match[3]} how likely a value is that it never gives; it gives {match[2]}"
    return explained(
        scene,
        title,
        "the value before it was clipped, scaled or squashed, or the same done to the distribution",
        "`value.clamp(1e-6, 1 - 1e-6)`, when it only touches the edge of an interval from 0 to 1",
    )
