"""Where the gRPC server listens: its port, and TLS or the refusal to do without."""

import grpc

from saurodrome.server.certificates import Certificate, Certificates
from saurodrome.server.config import Config
from saurodrome.server.listening import bind, plaintext_refused, port_in_use


def add_port(server: grpc.aio.Server, config: Config, tls: Certificates | None) -> int:
    """Binds the port that bots reach; gives its number.

    Raises:
        Refused: PLAINTEXT_REFUSED, PORT_IN_USE, PORT_FORBIDDEN or BAD_ADDRESS.
    """
    if tls is None and (refusal := plaintext_refused(config)):
        raise refusal
    # gRPC does not say why it cannot have a port, a socket does.
    bind(config.host, config.bots_port, "bots_port").close()
    host = f"[{config.host}]" if ":" in config.host else config.host
    address = f"{host}:{config.bots_port}"
    try:
        if tls is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, credentials(tls))
    except RuntimeError:
        raise port_in_use(config.bots_port, "bots_port") from None


def credentials(tls: Certificates) -> grpc.ServerCredentials:
    """TLS with whatever certificate is the present one at each handshake."""
    served: Certificate | None = tls.current

    def renewed() -> grpc.ServerCertificateConfiguration | None:
        # gRPC asks before each handshake, on a thread of its own; None: as before.
        nonlocal served
        if tls.current is served:
            return None
        served = tls.current
        return _configuration(served)

    return grpc.dynamic_ssl_server_credentials(
        _configuration(tls.current),
        renewed,  # type: ignore[arg-type]  # None is documented
        tls.current.client_ca is not None,
    )


def _configuration(one: Certificate) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(one.key, one.chain)], one.client_ca)
