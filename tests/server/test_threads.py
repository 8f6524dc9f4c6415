"""Threads that give way: gRPC's do, the one that decides does not."""

import os
import sys
import threading
from pathlib import Path

import pytest

from saurodrome.server.threads import giving_way
from tests.bench.process import line, python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a policy of Linux")


def policy_of_a_new_thread() -> int:
    """Return what a thread runs under that begins now."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(os.sched_getscheduler(0)))
    thread.start()
    thread.join()
    return found[0]


def test_threads_that_begin_inside_give_way_and_others_do_not() -> None:
    with giving_way():
        assert policy_of_a_new_thread() == os.SCHED_BATCH
    assert policy_of_a_new_thread() == os.SCHED_OTHER
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


def test_whoever_starts_them_has_its_policy_back_after_an_error() -> None:
    with pytest.raises(ValueError, match="inside"), giving_way():
        raise ValueError("inside")
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


def test_a_policy_that_somebody_chose_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getscheduler", lambda pid: os.SCHED_IDLE)
    monkeypatch.delattr(os, "sched_setscheduler")
    with giving_way():
        pass


def test_where_it_is_not_allowed_all_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, policy: int, param: os.sched_param) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    with giving_way():
        assert policy_of_a_new_thread() == os.SCHED_OTHER


@pytest.mark.wire
def test_in_a_server_grpc_gives_way_to_the_loop(tmp_path: Path) -> None:
    with python("-m", "tests.bench.arbiter_server", str(tmp_path)) as server:
        line(server)
        tasks = Path(f"/proc/{server.pid}/task")
        names = {int(task.name): (task / "comm").read_text().strip() for task in tasks.iterdir()}
        policies = {number: os.sched_getscheduler(number) for number in names}
    grpcs = [n for n, name in names.items() if name.startswith(("event_engine", "lifeguard"))]
    assert grpcs
    assert {policies[number] for number in grpcs} == {os.SCHED_BATCH}
    assert policies[server.pid] == os.SCHED_OTHER
