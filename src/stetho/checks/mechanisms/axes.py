"""Views that deal the elements of a tensor out anew: told by its shapes before and after."""

from math import prod

Shape = tuple[int, ...]


def is_exchanged(before: Shape, after: Shape) -> bool:
    """Whether two axes of different size have changed places, or the batch has left the first one.

    >>> is_exchanged((8, 3, 10), (8, 10, 3)), is_exchanged((8, 3, 10), (8, 30))
    (True, False)
    >>> is_exchanged((8, 30, 1), (8, 1, 30))
    False
    """
    if [size for size in before if size > 1] == [size for size in after if size > 1]:
        # An axis of one place may stand anywhere: the elements are in the same order.
        return False
    batch = before[0] if before else 0
    if len(after) > 2 and after[1] == batch and batch > 1 and after[0] % batch and prod(before) == prod(after):
        return True
    pairs = [(before, after)]
    if len(before) > len(after) > 2:
        # Places of an image as one axis: channels, then places.
        pairs.append(((*before[:2], prod(before[2:])), after))
    return any(one != other and len(one) > 2 and sorted(one) == sorted(other) for one, other in pairs)


def is_cut_across(before: Shape, after: Shape) -> bool:
    """Whether rows as long as the second axis are cut along the last one: places that pass for channels.

    >>> is_cut_across((16, 3, 24, 24), (9216, 3)), is_cut_across((16, 24, 3), (384, 3))
    (True, False)
    """
    if len(before) < 3 or len(after) != 2 or prod(before) != prod(after) or before[1] == 1:
        return False
    return after[1] == before[1] and all(size != before[1] for size in before[2:])
