"""Pages as people use them: opened in a browser, with a mouse and a keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

import stetho
from stetho.profiling.flame_page import flame_page
from tests.browser import EXECUTABLE, Page, browser
from tests.pipeline.feeds import FEEDS, cnn

pytestmark = pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium or Chrome on the path")

PLACE_OF = """(node => {
  const {x, y} = canvas.getBoundingClientRect();
  return [x + node.ax * view.scale + view.x + 12, y + node.ay * view.scale + view.y + 8];
})([...nodes.values()].find(node => node.kind === "layer" && node.about.layer === "NAME"))"""
IS_OPEN = '[...nodes.values()].find(node => node.kind === "layer" && node.about.layer === "NAME").open'


class Deep(nn.Module):
    """Many equal blocks: about five thousand operations."""

    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 2, 16, batch_first=True)
        self.stages = nn.ModuleList(nn.TransformerEncoder(layer, 48, enable_nested_tensor=False) for _ in range(3))

    def forward(self, x: Tensor) -> Tensor:
        for stage in self.stages:
            x = stage(x)
        return x


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser(tmp_path_factory.mktemp("browser")) as page:
        yield page


@pytest.fixture
def small(page: Page, tmp_path: Path) -> Page:
    block = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
    model = nn.Sequential(block, nn.Sequential(nn.Linear(8, 8), nn.Tanh()), nn.Linear(8, 2))
    stetho.graph(model, (1, 4)).save(tmp_path / "small.html", depth=1)
    page.open(tmp_path / "small.html")
    return page


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("large") / "large.html"
    made = stetho.graph(Deep(), torch.zeros(1, 3, 16))
    assert sum(node.kind == "operation" for node in made.data.nodes) > 5_000
    made.save(file)
    return file


def test_a_click_selects_a_box_and_tells_of_it(small: Page) -> None:
    small.click(*small.ask(PLACE_OF.replace("NAME", "1")))
    panel = small.ask('document.getElementById("panel").innerText')
    assert panel.startswith("1\n")
    assert "Sequential" in panel
    assert "float32[1, 8]" in panel
    assert small.errors == []


def test_bytes_are_told_in_the_units_that_they_are_counted_in(small: Page) -> None:
    shown = [small.ask(f'amount({value}, "kept bytes")') for value in (768, 1010, 8_932_000, 1_048_000)]
    assert shown == ["768 B", "1010 B", "8.52 MiB", "1023 KiB"]
    assert small.ask('amount(1500, "FLOPs")') == "1.50 k"


def test_the_whole_of_a_picture_fits_into_the_window(small: Page) -> None:
    small.wheel(400, 300, -600)
    small.click_on("#fit")
    assert small.ask("root.height * view.scale <= canvas.clientHeight && root.width * view.scale <= canvas.clientWidth")


def test_a_double_click_opens_a_box_and_closes_it(small: Page) -> None:
    is_open = IS_OPEN.replace("NAME", "0")
    assert small.ask(is_open) is False
    small.click(*small.ask(PLACE_OF.replace("NAME", "0")), times=2)
    assert small.ask(is_open) is True
    small.click(*small.ask(PLACE_OF.replace("NAME", "0")), times=2)
    assert small.ask(is_open) is False


def test_the_wheel_zooms_at_the_pointer_and_a_drag_pans(small: Page) -> None:
    before = small.ask("[view.scale, (300 - view.x) / view.scale]")
    small.wheel(300, 300, -200)
    after = small.ask("[view.scale, (300 - view.x) / view.scale]")
    assert after[0] > before[0]
    assert after[1] == pytest.approx(before[1])
    was = small.ask("[view.x, view.y]")
    small.drag(300, 300, 40, -70)
    assert small.ask("[view.x, view.y]") == pytest.approx([was[0] + 40, was[1] - 70])
    assert small.ask("state.selected") is None


def test_a_search_finds_what_is_closed_and_goes_there(small: Page) -> None:
    small.click_on("#search")
    small.write("tanh")
    assert small.ask("state.selected.about.layer") == "1.1"
    assert small.ask(IS_OPEN.replace("NAME", "1")) is True
    assert small.ask("state.hits.size") == 2


def test_five_thousand_operations_are_opened_level_by_level(page: Page, large_file: Path) -> None:
    page.open(large_file)
    for _ in range(3):
        page.click_on("#more")
    page.click_on("#detailed")
    assert page.ask("state.seen.length") > 5_000
    # A picture that is too tall for the window is shown from its top, and large enough to be read.
    assert page.ask("view.scale") >= 0.5
    assert page.ask("view.y") > 0
    page.click_on("#fit")
    assert page.ask("root.width * view.scale") >= 80, "the whole of it would be a hair"
    assert page.ask("view.y") > 0
    page.click_on("#search")
    page.write("stages.2.layers.47.linear2")
    assert page.ask("state.selected.about.layer") == "stages.2.layers.47.linear2"
    assert page.errors == []


LAYER = {"name": "encoder.fc", "seconds": 0.004, "children": [{"name": "aten::mm", "seconds": 0.003, "children": []}]}
STEP = {
    "name": "a step",
    "seconds": 0.01,
    "children": [
        {"name": "data", "seconds": 0.002, "children": []},
        {
            "name": "forward",
            "seconds": 0.008,
            "children": [
                {"name": "encoder", "seconds": 0.006, "children": [LAYER]},
            ],
        },
    ],
}
BOXES = '[...document.querySelectorAll(".box")]'
WIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def flame(page: Page, tmp_path: Path) -> Page:
    (tmp_path / "flame.html").write_text(flame_page(STEP, "train.py"))
    page.open(tmp_path / "flame.html")
    return page


def test_boxes_of_a_flame_graph_are_as_wide_as_their_part_of_a_step(flame: Page) -> None:
    found = flame.ask(f"{BOXES}.map(box => [box.textContent, box.getBoundingClientRect().width])")
    assert [name for name, _ in found] == ["a step", "forward", "encoder", "fc", "mm", "data"]
    whole = found[0][1]
    assert [width / whole for _, width in found] == pytest.approx([1.0, 0.8, 0.6, 0.4, 0.3, 0.2], abs=0.01)
    assert flame.ask('document.getElementById("told").textContent') == "a step · 10.00 ms · 100.0 % of a step"
    assert flame.errors == []


def test_a_click_zooms_a_flame_graph_and_one_on_the_whole_goes_back(flame: Page) -> None:
    names = f"{BOXES}.map(box => box.textContent)"
    flame.click_on(".box:nth-child(2)")
    assert flame.ask(names) == ["a step", "forward", "encoder", "fc", "mm"]
    assert flame.ask(f"{BOXES}[2].getBoundingClientRect().width / {BOXES}[1].getBoundingClientRect().width") == (
        pytest.approx(0.75, abs=0.01)
    )
    flame.click_on(".box")
    assert flame.ask(names) == ["a step", "forward", "encoder", "fc", "mm", "data"]


def test_a_search_in_a_flame_graph_tells_the_share_of_what_it_finds(flame: Page) -> None:
    flame.click_on("#search")
    flame.write("enc")
    assert flame.ask('document.getElementById("told").textContent') == '"enc": 6.00 ms, 60.0 %'
    assert flame.ask(f'{BOXES}.filter(box => !box.classList.contains("faded")).map(box => box.textContent)') == [
        "encoder",
        "fc",
    ]


def test_images_of_samples_are_seen_and_large_enough(page: Page, tmp_path: Path) -> None:
    page.open(stetho.data(cnn(), pictures=4).save(tmp_path / "data.html"))
    images = page.ask("[...document.images].map(image => [image.naturalWidth, image.width])")
    assert len(images) == 8  # four samples one by one, and the four of a batch
    assert all(own == 8 and shown >= 96 for own, shown in images)
    assert page.ask(WIDE) is True
    assert page.errors == []


@pytest.mark.parametrize(("make", "_samples", "fields"), FEEDS)
def test_a_page_of_data_fits_into_a_window(page: Page, tmp_path: Path, make, _samples, fields) -> None:  # type: ignore[no-untyped-def]
    page.open(stetho.data(make()).save(tmp_path / "data.html"))
    shown = page.ask("document.body.innerText")
    assert all(name.removesuffix(".*") in shown for name in fields)
    assert page.ask(WIDE) is True


def test_a_page_that_is_not_there_is_told_at_once(page: Page, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"missing\.html: net::ERR_FILE_NOT_FOUND"):
        page.open(tmp_path / "missing.html")
