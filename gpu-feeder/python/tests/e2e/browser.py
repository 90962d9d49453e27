"""Headless Chromium, driven over its DevTools pipe: opens pages of the site and evaluates JavaScript in them.

Debian's package is chromium-headless-shell; RANKFEED_CHROMIUM names another program.
"""

from __future__ import annotations

import functools
import json
import os
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
SECONDS = 60


def chromium() -> str:
    names = [os.environ["RANKFEED_CHROMIUM"]] if "RANKFEED_CHROMIUM" in os.environ else NAMES
    found = [path for path in map(shutil.which, names) if path]
    if not found:
        pytest.fail(f"none of {', '.join(names)} is in PATH; install chromium-headless-shell or set RANKFEED_CHROMIUM")
    return found[0]


def errors(message: dict[str, Any]) -> list[str]:
    """Returns what a message of Chromium says about exceptions, broken policies and lines of the console."""
    params = message.get("params", {})
    match message.get("method"):
        case "Runtime.exceptionThrown":
            return [str(params["exceptionDetails"])]
        case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
            return [str(params["args"])]
        case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning"):
            return [params["entry"]["text"]]
    return []


class Browser:
    """One window. Hosts other than this machine are unknown to it; `requests` are the addresses that it asked for, and
    `errors` what its console shows as errors."""

    def __init__(self, profile: Path):
        options = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]
        rules = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        commands, self._commands = os.pipe()
        self._messages, messages = os.pipe()
        # With --remote-debugging-pipe, Chromium reads from descriptor 3 and writes to 4.
        script = f'exec "$0" "$@" 3<&{commands} 4>&{messages}'
        self._process = subprocess.Popen(
            [
                "bash",
                "-c",
                script,
                chromium(),
                "--remote-debugging-pipe",
                *options,
                rules,
                f"--user-data-dir={profile}",
            ],
            pass_fds=(commands, messages),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(messages)
        self._buffer = b""
        self._calls = 0
        self._session = ""
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")
        for domain in ("Network", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._commands)  # which ends it
        try:
            self._process.wait(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._messages)

    def resize(self, width: int, height: int = 900) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", **size)

    def open(self, address: str) -> None:
        """Opens a page, with its scripts and images."""
        answer = self._call("Page.navigate", url=address)
        assert "errorText" not in answer, f"{address}: {answer}"
        while self._message().get("method") != "Page.loadEventFired":
            pass

    def evaluate(self, script: str) -> Any:
        """Returns the value of an expression, or of its promise."""
        answer = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._calls += 1
        call = {"id": self._calls, "method": method, "params": params}
        if self._session:
            call["sessionId"] = self._session
        os.write(self._commands, json.dumps(call).encode() + b"\0")
        while True:
            message = self._message()
            if message.get("id") == self._calls:
                assert "error" not in message, f"{method}: {message['error']}"
                return message["result"]

    def _message(self) -> dict[str, Any]:
        deadline = time.monotonic() + SECONDS
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._messages], [], [], max(0, deadline - time.monotonic()))
            assert ready, f"Chromium did not answer in {SECONDS} s"
            received = os.read(self._messages, 1 << 16)
            assert received, "Chromium ended"
            self._buffer += received
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(text)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        self.errors += errors(message)
        return message


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves a folder until the block ends; returns its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
