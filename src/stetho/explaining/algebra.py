"""Linear algebra: matrices that have no inverse, no end of an iteration, or the wrong shape."""

from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained
from stetho.explaining.scene import Explanation, Scene


@explains(
    "singular-matrix",
    r"linalg\.(\w+): (?:\(Batch element (\d+)\): )?The (?:diagonal element \d+ is zero|solver failed).*singular",
)
def singular(match: Match[str], scene: Scene) -> Explanation:
    """`linalg.inv: The diagonal element 1 is zero, … because the input matrix is singular`."""
    which = f"matrix {match[2]} of the batch" if match[2] else "the matrix"
    title = f"`{scene.code}`: {which} is singular: a row is zero, or follows from others"
    return explained(
        scene,
        title,
        "`matrix + 1e-4 * torch.eye(n)`, as ridge regression does",
        "torch.linalg.lstsq or pinv, which do without an inverse",
    )


@explains(
    "matrix-not-finite",
    r"linalg\.(\w+): (?:\(Batch element (\d+)\): )?The algorithm failed to converge because the input matrix contained "
    r"non-finite values",
)
def not_finite(match: Match[str], scene: Scene) -> Explanation:
    """`linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values`."""
    which = f"matrix {match[2]} of the batch" if match[2] else "the matrix"
    title = f"`{scene.code}`: {which} holds values that are no numbers, or infinite"
    return explained(scene, title, "stetho run --break nan, which stops where the first of them is born")


@explains(
    "not-square",
    r"(?:linalg\.)?(\w+): \w+ must be batches of square matrices, but they are (\d+) by (\d+) matrices",
)
def not_square(match: Match[str], scene: Scene) -> Explanation:
    """`linalg.eigh: A must be batches of square matrices, but they are 2 by 3 matrices`."""
    title = f"`{scene.code}`: {match[1]} takes square matrices, and got {match[2]} × {match[3]}"
    return explained(
        scene,
        title,
        "`x.T @ x`, the covariance, when that is meant",
        "torch.linalg.svd, pinv or lstsq, which take any matrix",
    )
