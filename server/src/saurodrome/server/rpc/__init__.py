"""The server's gRPC side: all that knows protobuf and statuses."""
