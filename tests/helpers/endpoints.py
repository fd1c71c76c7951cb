"""An endpoint of a language model on this machine, which answers as a test says."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class Request(NamedTuple):
    connection: socket.socket
    over: threading.Event  # set when the test ends
    headers: dict[str, str]
    body: dict[str, Any]


Say = Callable[[Request], None]


class Endpoint:
    """Answers one request of a connection: by its `replies` in turn, then always by the last one."""

    def __init__(self, server: socket.socket, *replies: Say) -> None:
        self.url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        self.replies = list(replies)
        self.asked: list[Request] = []
        self.over = threading.Event()
        self._server = server

    def serve(self) -> None:
        while not self.over.is_set():
            try:
                threading.Thread(target=self._answer, args=(self._server.accept()[0],), daemon=True).start()
            except OSError:
                return

    def _answer(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as file:
            head = [*iter(lambda: file.readline().decode("latin-1").strip(), "")]
            if not head:
                return  # the connection that ends the test
            headers = dict(line.split(": ", 1) for line in head[1:])
            request = Request(connection, self.over, headers, json.loads(file.read(int(headers["Content-Length"]))))
            say = self.replies[min(len(self.asked), len(self.replies) - 1)]
            self.asked.append(request)
            try:
                say(request)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                return  # the agent has hung up


@contextmanager
def serving(*replies: Say) -> Iterator[Endpoint]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        endpoint = Endpoint(server, *replies)
        thread = threading.Thread(target=endpoint.serve, daemon=True)
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.over.set()
            socket.create_connection(server.getsockname()).close()
            thread.join()


def says(body: bytes, status: str = "200 OK", length: int | None = None) -> Say:
    size = len(body) if length is None else length
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n"
    return lambda request: request.connection.sendall(head.encode() + body)


def completion(text: Any, **more: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}], **more}).encode()
