from pathlib import Path

from stetho.capture.text.draws import drawn_at


def test_a_draw_in_a_method_that_is_called_before_is_found(tmp_path: Path) -> None:
    program = tmp_path / "net.py"
    program.write_text(
        "class Net:\n"
        "    def draw(self, mean, scale):\n"
        "        return torch.normal(mean, scale)\n"
        "    def forward(self, x):\n"
        "        z = self.draw(*self.encode(x.detach()))\n"
        "        return self.decoder(z)\n"
    )
    assert drawn_at(f"{program}:6") == f"{program}:3"


def test_a_cut_is_found_where_nothing_is_drawn(tmp_path: Path) -> None:
    program = tmp_path / "net.py"
    program.write_text("z = (mean + scale * noise).detach()\nimages = decoder(z)\nlast = other.sample()\n")
    assert drawn_at(f"{program}:2") == f"{program}:1"


def test_a_draw_in_the_caller_is_found(tmp_path: Path) -> None:
    program = tmp_path / "net.py"
    program.write_text(
        "class Net:\n"
        "    def decode(self, z):\n"
        "        return self.out(z)\n"
        "    def forward(self, x):\n"
        "        z = self.code(x).sample()\n"
        "        return self.decode(z)\n"
    )
    assert drawn_at(f"{program}:3") == f"{program}:5"


def test_nothing_is_found_without_a_text() -> None:
    assert drawn_at("gone.py:3") is None
