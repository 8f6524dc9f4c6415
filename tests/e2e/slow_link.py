"""A network that is slow: bytes arrive late, in pieces, and not many a second."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random


@asynccontextmanager
async def slow_link(
    address: str, *, latency: float, jitter: float, rate: float, seed: int = 0
) -> AsyncIterator[str]:
    """Passes connections on to an address; gives the address of its own.

    Args:
        address: HOST:PORT of the server.
        latency: Seconds each way.
        jitter: More seconds, at most.
        rate: Bytes a second each way.
        seed: Decides the jitter.
    """
    host, _, port = address.rpartition(":")
    chance = Random(seed)

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, piece = await queue.get()
                await asyncio.sleep(due - loop.time())
                writer.write(piece)
                if not piece:
                    writer.close()
                    return

        delivery = asyncio.create_task(deliver())
        free = loop.time()
        try:
            with suppress(OSError):
                while piece := await reader.read(4096):
                    free = max(free, loop.time()) + len(piece) / rate
                    queue.put_nowait((free + latency + chance.random() * jitter, piece))
            queue.put_nowait((loop.time() + latency, b""))
            with suppress(OSError):
                await delivery
        finally:
            delivery.cancel()

    opened: list[asyncio.StreamWriter] = []
    serving: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if task := asyncio.current_task():
            serving.add(task)
        there = await asyncio.open_connection(host, int(port))
        opened.extend((writer, there[1]))
        await asyncio.gather(carry(reader, there[1]), carry(there[0], writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for writer in opened:
            writer.close()
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await asyncio.gather(*(w.wait_closed() for w in opened), return_exceptions=True)
