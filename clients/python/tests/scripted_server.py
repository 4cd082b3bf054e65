"""A server that sends the replies of a test in order."""

import json
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


#: Answers that begin and do not end: their type, and how long the connection stays.
BEGUN = {
    "broken off": ("application/json", 0),
    "silent": ("application/json", 30),
    "silent stream": ("text/event-stream", 30),
}


@dataclass
class Received:
    #: Method, path and query.
    request: str
    headers: dict[str, str]
    body: bytes
    at_seconds: float


@dataclass
class ScriptedServer:
    """Use it as a context. `script` sets the answers to the next requests, in the form of
    `clients/cases/`; `always` answers when the
    script has ended.
    """

    received: list[Received] = field(default_factory=list)
    base_url: str = ""
    always: Any = "dropped"
    _script: list[Any] = field(default_factory=list)

    def script(self, *answers: Any) -> None:
        self.received.clear()
        self._script = list(answers)

    def __enter__(self) -> "ScriptedServer":
        scripted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self) -> None:
                length = int(self.headers.get("content-length", "0"))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = f"{self.command} {self.path}"
                body = self.rfile.read(length)
                scripted.received.append(Received(request, headers, body, time.monotonic()))
                send(self, scripted._script.pop(0) if scripted._script else scripted.always)

            do_GET = do_POST = do_PUT = do_DELETE = handle_request

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def send(handler: BaseHTTPRequestHandler, answer: Any) -> None:
    handler.close_connection = True
    if answer == "dropped":
        handler.connection.shutdown(socket.SHUT_RDWR)
        return
    if isinstance(answer, str):
        content_type, wait_seconds = BEGUN[answer]
        _head(handler, 200, {"content-type": content_type, "content-length": "1000"})
        handler.wfile.write(b"{")
        time.sleep(wait_seconds)
        return
    headers = {"content-type": "application/json", **answer.get("headers", {})}
    if "refusal" in answer:
        content = json.dumps({"error": _error(answer["refusal"])})
    else:
        content = answer["text"] if "text" in answer else json.dumps(answer["body"])
    _head(handler, answer["status"], {**headers, "connection": "close"})
    handler.wfile.write(content.encode())


def _head(handler: BaseHTTPRequestHandler, status: int, headers: dict[str, str]) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()


def _error(code: str) -> dict[str, str]:
    return {
        "code": code,
        "message": f"It is {code}.",
        "request_id": "req_1",
        "docs_url": f"/api/docs/errors/{code}",
    }
