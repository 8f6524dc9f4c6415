"""The collector looks less often while a server runs, still finds cycles, and is set back."""

import gc
import weakref

from saurodrome.server.garbage import YOUNG, seldom_collected


class Node:
    def __init__(self) -> None:
        self.itself = self


def test_it_is_set_back_at_the_end() -> None:
    before = gc.get_threshold()
    with seldom_collected():
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold() == (YOUNG, *before[1:])
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_what_is_made_later_and_forms_cycles_is_still_found() -> None:
    with seldom_collected():
        lost = weakref.ref(Node())
        kept = [[number] for number in range(2 * YOUNG)]
        assert lost() is None
    assert len(kept) == 2 * YOUNG
