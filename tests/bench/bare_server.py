"""A bare grpc.aio ping-pong: the yardstick of the arbiter's bench.

Argument: one frame in hex, which it sends on every stream, again after each reply. Prints
its port. Nothing is parsed, nothing is kept: this is what the transport itself costs.
"""

import asyncio
import sys

import grpc

from saurodrome.bot.v1 import bot_pb2

_WELCOME = bot_pb2.PlayResponse(welcome=bot_pb2.Welcome()).SerializeToString()


async def main(frame: bytes) -> None:
    """Serves until it is killed."""

    async def play(_: object, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        await context.read()
        await context.write(_WELCOME)
        while True:
            await context.write(frame)
            if not isinstance(await context.read(), bytes):
                return

    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    name = bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(name, {"Play": handler}),)
    )
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(bytes.fromhex(sys.argv[1])))
