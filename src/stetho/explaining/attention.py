"""Attention: heads, widths, masks."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained, sizes
from stetho.explaining.scene import Explanation, Scene


@explains(
    "attention-heads",
    r"embed_dim must be divisible by num_heads",
)
def heads(_match: Match[str], scene: Scene) -> Explanation:
    """`embed_dim must be divisible by num_heads`."""
    width, number = scene.setting("embed_dim"), scene.setting("num_heads")
    title = "attention deals its width out to the heads in equal parts"
    if not isinstance(width, int) or not isinstance(number, int):
        return explained(scene, title, "an embed_dim that is a multiple of num_heads")
    divisors = [each for each in range(1, min(width, 64) + 1) if width % each == 0]
    return explained(
        scene,
        f"{title}: {width} is no multiple of {number}",
        f"num_heads of {', '.join(map(str, divisors))}",
        f"embed_dim of {width // number * number or number} or {(width // number + 1) * number}",
    )


@explains(
    "attention-width",
    r"was expecting embedding dimension of (\d+), but got (\d+)",
)
def width(match: Match[str], scene: Scene) -> Explanation:
    """`was expecting embedding dimension of 8, but got 6`."""
    wanted, got = match[1], match[2]
    title = f"{scene.subject} works on vectors of {wanted} numbers (the last axis), and got {got}"
    return explained(
        scene, title, f"nn.Linear({got}, {wanted}) before it", f"a layer made for it, with embed_dim={got}"
    )


@explains(
    "attention-mask",
    r"The shape of the (\dD) attn_mask is torch\.Size\((\[[\d, ]+\])\), but should be (\([\d, ]+\))",
)
def mask_shape(match: Match[str], scene: Scene) -> Explanation:
    """`The shape of the 2D attn_mask is torch.Size([4, 4]), but should be (5, 5)`."""
    got, wanted = sizes(match[2]), sizes(match[3])
    title = f"{scene.subject} attends from {wanted[-2]} to {wanted[-1]} positions; its attn_mask is {list(got)}"
    fit = f"a mask of {list(wanted)}"
    cut = f"`mask[:{wanted[-2]}, :{wanted[-1]}]`" if min(got) >= max(wanted) else ""
    first = scene.setting("batch_first")
    layout = "batch_first=True, when the input is [batch, time, features]" if first is False else ""
    return explained(scene, title, fit, cut, layout)


@explains(
    "attention-padding-mask",
    r"Expected key_padded_mask\.shape\[(\d)\] to be (\d+), but got (\d+)",
)
def padding_mask(match: Match[str], scene: Scene) -> Explanation:
    """`Expected key_padded_mask.shape[0] to be 3, but got 5`."""
    axis, wanted, got = map(int, match.groups())
    what = ("batch", "number of keys")[axis] if axis < 2 else f"axis {axis}"
    title = f"{scene.subject}: key_padding_mask is [batch, keys]; its {what} is {got}, and that of the keys {wanted}"
    first = scene.setting("batch_first")
    layout = "batch_first=True: the input is [batch, time, features], as the mask says" if first is False else ""
    swapped = "its transpose, when the two are swapped"
    return explained(scene, title, layout, f"a mask with {wanted} in axis {axis}", swapped)
