"""The transform of a data set is found in the text of the program, from its loader on."""

from pathlib import Path

import pytest

from stetho.capture.text.transformed import transformed_at

PROGRAM = """\
class Pictures(Dataset):
    def __init__(self, files, labels, transform=None):
        self.transform = transform
def raw(image):
    image = image.float()
    return image / 255
train_tf = Compose(Flip(), Rescale(16.0))
valid_tf = Compose(Rescale(255.0))
valid_set = Pictures(files, labels, valid_tf)
by_place = DataLoader(valid_set, 8)
by_name = DataLoader(Pictures(files, labels, transform=train_tf), 8)
by_function = DataLoader(Pictures(files, labels, raw), 8)
without = DataLoader(Pictures(files, labels), 8)
nothing = DataLoader(Pictures(files, labels, None), 8)
folder = DataLoader(ImageFolder(path, transform=ToTensor()), 8)
tensors = DataLoader(TensorDataset(x, y), 8)
both = DataLoader(valid_set), DataLoader(valid_set)
"""


@pytest.mark.parametrize(
    ("loader", "made"),
    [(10, 8), (11, 7), (12, 6), (13, None), (14, None), (15, 15), (16, None), (17, None), (99, None)],
)
def test_the_transform_of_a_loader_is_found(tmp_path: Path, loader: int, made: int | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(PROGRAM)
    assert transformed_at(f"{file}:{loader}") == (f"{file}:{made}" if made else None)
