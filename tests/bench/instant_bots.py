"""A process of many bots that answer at once; the client side of the arbiter's bench.

Arguments: HOST:PORT and a file of tokens, one a bot. Prints `connected`, then for every
line on standard input one JSON line: decisions answered so far, bytes received in them, and
one frame of typical length.
"""

import asyncio
import json
import sys
from pathlib import Path

import grpc

from saurodrome.bot.v1 import bot_pb2

_OPTIONS = (("grpc.use_local_subchannel_pool", 1),)
_HELLO = bot_pb2.PlayRequest(hello=bot_pb2.Hello(max_concurrent_matches=1))


class Tally:
    """What all bots of this process have seen."""

    def __init__(self) -> None:
        """Starts at nothing."""
        self.connected = asyncio.Semaphore(0)
        self.decisions = 0
        self.bytes = 0
        self.sample = b""

    def count(self, frame: bytes) -> None:
        """Counts a decision; the sample is the frame nearest to the mean so far."""
        self.decisions += 1
        self.bytes += len(frame)
        mean = self.bytes / self.decisions
        if abs(len(frame) - mean) <= abs(len(self.sample) - mean):
            self.sample = frame


async def bot(target: str, token: str, tally: Tally) -> None:
    """Plays until the stream ends: the middle one of the legal actions, at once."""
    async with grpc.aio.insecure_channel(target, options=_OPTIONS) as channel:
        play: grpc.aio.StreamStreamMultiCallable[bot_pb2.PlayRequest, bytes]
        play = channel.stream_stream(
            f"/{bot_pb2.DESCRIPTOR.services_by_name['BotService'].full_name}/Play",
            request_serializer=bot_pb2.PlayRequest.SerializeToString,
        )
        stream = play(metadata=(("authorization", f"Bearer {token}"),))
        await stream.write(_HELLO)
        while isinstance(data := await stream.read(), bytes):
            frame = bot_pb2.PlayResponse.FromString(data)
            kind = frame.WhichOneof("frame")
            if kind == "decision":
                tally.count(data)
                legal = frame.decision.legal_actions
                reply = bot_pb2.Reply(
                    decision_id=frame.decision.decision_id, action_id=legal[len(legal) // 2].id
                )
                await stream.write(bot_pb2.PlayRequest(reply=reply))
            elif kind == "match_started":
                started = frame.match_started
                ready = bot_pb2.Ready(match_id=started.match_id, attempt=started.attempt)
                await stream.write(bot_pb2.PlayRequest(ready=ready))
            elif kind == "welcome":
                tally.connected.release()


async def main(target: str, tokens: list[str]) -> None:
    """Runs all bots until standard input ends."""
    tally = Tally()
    bots = [asyncio.create_task(bot(target, token, tally)) for token in tokens]
    for _ in bots:
        await tally.connected.acquire()
    print("connected", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(
            json.dumps([tally.decisions, tally.bytes, tally.sample.hex()]),
            flush=True,
        )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_text().split()))
