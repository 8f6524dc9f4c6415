"""A bot that sends an illegal action now and then, in plain gRPC: no client library helps it."""

import asyncio
import itertools
import os
import random
from collections.abc import Iterator

from grpc import aio

from saurodrome.bot.v1 import bot_pb2, bot_pb2_grpc

EVERY = 9
"""One decision in so many is first answered with an id that is not legal."""


class IllegalBot:
    """Answers at random, at times wrongly first."""

    def __init__(self) -> None:
        """Has no open decision."""
        self._count = itertools.count(1)
        self._open: dict[str, bot_pb2.Decision] = {}

    def answers(self, frame: bot_pb2.PlayResponse) -> Iterator[bot_pb2.PlayRequest]:
        """Gives the frames to send in answer to one."""
        match frame.WhichOneof("frame"):
            case "match_started":
                started = frame.match_started
                ready = bot_pb2.Ready(match_id=started.match_id, attempt=started.attempt)
                yield bot_pb2.PlayRequest(ready=ready)
            case "decision":
                self._open[frame.decision.match_id] = frame.decision
                ids = [action.id for action in frame.decision.legal_actions]
                wrong = next(self._count) % EVERY == 0
                yield reply(frame.decision, max(ids) + 1 if wrong else random.choice(ids))
            case "verdict" if frame.verdict.kind == bot_pb2.Verdict.KIND_ILLEGAL:
                asked = self._open.get(frame.verdict.match_id)
                if asked is not None and asked.decision_id == frame.verdict.decision_id:
                    yield reply(asked, asked.default_action_id)


def reply(decision: bot_pb2.Decision, action_id: int) -> bot_pb2.PlayRequest:
    """Makes the frame that answers a decision."""
    answer = bot_pb2.Reply(decision_id=decision.decision_id, action_id=action_id)
    return bot_pb2.PlayRequest(reply=answer)


async def main() -> None:
    """Plays at the server of the environment until it ends the stream."""
    metadata = (("authorization", f"Bearer {os.environ['SAURODROME_TOKEN']}"),)
    bot = IllegalBot()
    async with aio.insecure_channel(os.environ["SAURODROME_SERVER"]) as channel:
        call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=metadata)
        hello = bot_pb2.Hello(sdk="none", max_concurrent_matches=4)
        await call.write(bot_pb2.PlayRequest(hello=hello))
        async for frame in call:
            for answer in bot.answers(frame):
                await call.write(answer)


if __name__ == "__main__":
    asyncio.run(main())
