"""Equal neighbours in one row: of forty-eight equal blocks, or calls of one decoder, one is enough to read."""

from collections.abc import Iterator, Sequence

from stetho.inspect.summarizing import Row


def folded(rows: Sequence[Row]) -> list[Row]:
    """Rows with equal neighbours put into one: forty-eight equal blocks are one block, forty-eight times."""
    groups = list(_subtrees(rows))
    found: list[Row] = []
    place = 0
    while place < len(groups):
        head, *inside = groups[place]
        alike = 1
        while place + alike < len(groups) and _alike(groups[place], groups[place + alike]):
            alike += 1
        if alike > 1:
            last = groups[place + alike - 1][0].name
            name = head.name if last == head.name else f"{head.name} … {last.rpartition('.')[2]}"
            head = head._replace(name=name, repeats=alike)
        found.append(head)
        if inside:
            found += folded(inside)
        place += alike
    return found


def _subtrees(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    start = 0
    for place in range(1, len(rows) + 1):
        if place == len(rows) or rows[place].depth <= rows[start].depth:
            yield rows[start:place]
            start = place


def _alike(left: Sequence[Row], right: Sequence[Row]) -> bool:
    if left[0].kind != right[0].kind or len(left) != len(right):
        return False
    first, second = left[0].name, right[0].name
    is_called_again = first == second and left[0].status == right[0].status == "again"
    if not is_called_again and not all(name.rpartition(".")[2].isdigit() for name in (first, second)):
        return False
    return all(_likeness(one, first) == _likeness(other, second) for one, other in zip(left, right, strict=True))


def _likeness(row: Row, above: str) -> tuple[object, ...]:
    shapes = tuple((each.shape, each.dtype) for each in (*row.inputs, *row.outputs))
    costs = (row.parameters, row.trainable, row.flops, row.backward_flops, row.status, row.shared)
    return row.name.removeprefix(above), row.kind, row.settings, shapes, costs
