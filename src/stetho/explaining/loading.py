"""Data loaders: what cannot be put together to a batch, and errors in worker processes."""

import re
from re import Match

from stetho.explaining.declare import explains
from stetho.explaining.phrases import explained
from stetho.explaining.scene import Explanation, Scene

_FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\w+)')
_LIBRARY = ("site-packages", "dist-packages", "/lib/python")


@explains(
    "collate-type",
    r"default_collate: batch must contain .*; found <class '([\w.]+)'>",
)
def collate_type(match: Match[str], scene: Scene) -> Explanation:
    """`default_collate: batch must contain tensors, numpy arrays, …; found <class 'NoneType'>`."""
    kind = match[1].rpartition(".")[2]
    title = f"the dataset gives back a {kind}, which cannot be put together to a batch"
    missing = (
        "a `return` in every branch of __getitem__" if kind == "NoneType" else f"a tensor or a number for the {kind}"
    )
    return explained(scene, title, missing, "collate_fn=…, which says how samples become a batch")


@explains(
    "collate-length",
    r"each element in list of batch should be of equal size",
)
def collate_length(_match: Match[str], scene: Scene) -> Explanation:
    """`each element in list of batch should be of equal size`."""
    title = "samples of one batch are lists that differ in length"
    return explained(scene, title, "padding in the dataset", "collate_fn=… with torch.nn.utils.rnn.pad_sequence")


@explains(
    "dataloader-worker-error",
    r"Caught (\w+) in DataLoader worker process (\d+)",
)
def in_worker(match: Match[str], scene: Scene) -> Explanation:
    """`Caught ValueError in DataLoader worker process 0.`: the error itself is in the text."""
    kind, worker = match[1], match[2]
    own = [each for each in _FRAME.findall(scene.message) if not any(part in each[0] for part in _LIBRARY)]
    last = scene.message.strip().splitlines()[-1]
    place = f" at {own[-1][0]}:{own[-1][1]} in {own[-1][2]}" if own else ""
    title = f"worker {worker} of the DataLoader failed{place}: {last}"
    inner = Scene(kind, last.partition(": ")[2] or last, code="DataLoader")
    return Explanation(title, fits=("num_workers=0, to have the error in this process, with its values",), inner=inner)


@explains(
    "dataloader-worker-gone",
    r"DataLoader worker \(pid\(?s?\)? ([\d, ]+)\)",
)
def worker_gone(match: Match[str], scene: Scene) -> Explanation:
    """`DataLoader worker (pid 12) is killed by signal: Killed`, and `exited unexpectedly`."""
    title = f"a worker process of the DataLoader (pid {match[1]}) died without an error of its own"
    return explained(
        scene,
        title,
        "fewer workers or smaller batches: the system kills processes when memory runs out",
        "a larger /dev/shm (docker run --shm-size=8g), when the signal was a bus error",
        "num_workers=0, to see the error in this process",
    )


@explains(
    "empty-dataset",
    r"num_samples should be a positive integer value, but got num_samples=0",
)
def empty_dataset(_match: Match[str], scene: Scene) -> Explanation:
    """`num_samples should be a positive integer value, but got num_samples=0`."""
    title = f"`{scene.code}`: the dataset is empty"
    return explained(scene, title, "the path and the filter of the data: print(len(dataset))")


@explains(
    "shuffle-and-sampler",
    r"sampler option is mutually exclusive with shuffle|batch_sampler option is mutually exclusive with batch_size",
    r"DataLoader with IterableDataset: expected unspecified shuffle option",
)
def shuffle_and_sampler(match: Match[str], scene: Scene) -> Explanation:
    """`sampler option is mutually exclusive with shuffle`, `DataLoader with IterableDataset: expected …`."""
    if "IterableDataset" in match[0]:
        title = f"`{scene.code}`: the dataset itself says what comes next, so the loader cannot shuffle it"
        return explained(scene, title, "no shuffle=, and the order drawn in __iter__")
    title = f"`{scene.code}`: a sampler says which samples come when, and so does the other option"
    return explained(scene, title, "the sampler alone, without shuffle=True", "shuffle=True alone")


@explains(
    "sizes-of-tensors",
    r"^Size mismatch between tensors",
)
def sizes_of_tensors(_match: Match[str], scene: Scene) -> Explanation:
    """`Size mismatch between tensors`."""
    title = f"`{scene.code}`: a TensorDataset pairs row with row, and its tensors differ in their number of rows"
    return explained(scene, title, "the same rows of inputs and targets: was one of them filtered or cut?")


@explains(
    "split-lengths",
    r"Sum of input lengths does not equal the length of the input dataset",
)
def split_lengths(_match: Match[str], scene: Scene) -> Explanation:
    """`Sum of input lengths does not equal the length of the input dataset!`."""
    title = f"`{scene.code}`: the parts together are not as long as the dataset"
    return explained(scene, title, "shares that add up to 1: [0.8, 0.2]", "the last part as len(dataset) - the others")
