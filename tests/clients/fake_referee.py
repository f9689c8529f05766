"""A referee that only knows one recorded conversation, and remembers what it was asked.

Each step names the request it expects and what happens to it: `reply` (a document, with `status`
and `headers` where they are not usual), `lost` (read, then the connection is cut) or `restart`
(cut, and nobody answers the port until it is opened again). After the last step polls are held.
"""

import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CONVERSATIONS = Path(__file__).parent / "conversations"
DOWN_S = 0.3
LIMIT_S = 60


class FakeReferee:
    """Speaks a conversation on a port of its own; `asked` holds the requests it got."""

    def __init__(self, steps):
        self.steps = steps
        self.asked = []
        self.faults = []
        self.over = threading.Event()
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._place = 0
        self._server = None
        self.port = 0
        self._open()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def _open(self):
        self._server = _server(self, self.port)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def _restart(self):
        self._server.shutdown()
        self._server.server_close()
        time.sleep(DOWN_S)
        if not self.closing.is_set():
            self._open()

    def close(self):
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def next_step(self, request):
        """Takes a request; gives the step it fits, or None when the conversation is over."""
        with self._lock:
            if self._place == len(self.steps):
                if request["method"] != "GET":
                    self.faults.append(f"after the end: {request}")
                return None
            step = self.steps[self._place]
            self.asked.append(request)
            self._place += 1
            if (request["method"], request["path"]) != (step["method"], step["path"]):
                self.faults.append(f"step {self._place}: expected {step['method']} {step['path']}, got {request}")
            if step.get("restart"):
                threading.Thread(target=self._restart, daemon=True).start()
            return step

    def wait_until_over(self, process):
        """Waits until the client polls after the last step; raises with what happened if it never does."""
        end = time.monotonic() + LIMIT_S
        while not self.over.wait(0.05):
            if process.poll() is not None or time.monotonic() > end or self.faults:
                process.kill()
                said = process.communicate()
                raise AssertionError(f"stuck after step {self._place} of {len(self.steps)}: {self.faults} {said}")


def _server(referee, port):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self):
            self.answer()

        def do_POST(self):
            self.answer()

        def answer(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            step = referee.next_step(
                {
                    "method": self.command,
                    "path": self.path.partition("?")[0],
                    "query": self.path.partition("?")[2],
                    "key": self.headers.get("idempotency-key"),
                    "token": (self.headers.get("authorization") or "").removeprefix("Bearer "),
                    "body": json.loads(body) if body else None,
                    "client": self.client_address,
                }
            )
            if step is None:
                referee.over.set()
                referee.closing.wait(LIMIT_S)
                self.close_connection = True
            elif step.get("lost") or step.get("restart"):
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            else:
                self.write(step)

        def write(self, step):
            reply = step.get("raw", "").encode() or json.dumps(step["reply"]).encode()
            self.send_response(step.get("status", 200))
            for name, text in step.get("headers", {}).items():
                self.send_header(name, text)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *arguments):
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request, client_address):
            pass  # the client may hang up while a poll is held

    return Server(("127.0.0.1", port), Handler)


def steps(name):
    """Reads a recorded conversation."""
    return json.loads((CONVERSATIONS / f"{name}.json").read_text())["steps"]
