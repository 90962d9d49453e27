"""A small feeder for tests: a real process, real sockets, a real segment, and faults on demand.

``main`` is its process; the defaults of its configuration are in DEFAULTS below.
Every RELEASE, SEEK, BYE, ERROR and end of a client is appended to the log as a line of JSON.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import mmap
import os
import signal
import socket
import struct
import threading
import time
from bisect import bisect_right
from pathlib import Path

from fake_rows import COLUMNS, PLAN, VERSION, row_ids
from fake_segment import FakeSegment

DEFAULTS = {
    "directory": None, "log": None, "ranks": [0], "kind": "train", "feed": "train", "lanes": 4, "batch": 8,
    "epochs": 2, "steps": 5, "slots": 4, "pool": 40, "columns": ["row_id", "tokens"], "grace": 5,
    # starts: the first step of each epoch and the end of the run, in place of epochs and steps; stages: as in WELCOME
    "starts": None, "stages": None,
    # faults: by the number of READY frames sent on a connection, or by global step
    "die_after": None, "drain_after": None, "hang_after": None, "error_after": None, "raw_after": None,
    "eos_after": None, "tear_step": None, "wrong_step": None, "sizes_step": None, "refuse": None, "patch": [],
    "welcome": {}, "protocol": 2, "welcome_slots": None, "busy_times": 0, "one_client": False, "ready_pause": 0,
}  # fmt: skip
FRAME = struct.Struct("<BBHIQ")


class Gone(Exception):
    pass


class Client(threading.Thread):
    def __init__(self, feeder: Feeder, connected: socket.socket, rank: int):
        super().__init__(daemon=True)
        self.feeder, self.socket, self.rank, self.config = feeder, connected, rank, feeder.config
        self.path = None

    def run(self) -> None:
        try:
            self.serve()
        except (Gone, OSError) as e:
            if isinstance(e, OSError):
                self.last_words()
            self.feeder.note(event="gone", rank=self.rank, why=str(e), locked=self.locked())
        finally:
            if self.path:
                os.unlink(self.path)
            self.socket.close()

    def last_words(self) -> None:
        """Returns what the client had sent before it closed, which can still be read."""
        try:
            while True:
                kind, slot, arg, token, payload = self.frame()
                if kind == 5:
                    self.feeder.note(event="release", rank=self.rank, slot=slot, token=token)
                if kind == 8:
                    self.feeder.note(event="error", **payload)
                if kind == 10:
                    self.feeder.note(event="bye", rank=self.rank, held=arg, token=token)
        except (Gone, OSError):
            pass

    def locked(self) -> bool:
        """Whether another process holds the segment's lock. Closes the descriptor: this process has no lock to lose."""
        if not self.path:
            return False
        descriptor = os.open(self.path, os.O_RDWR)
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(descriptor)
        return False

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise Gone("end of stream")
            data += more
        return data

    def frame(self) -> tuple:
        kind, flags, slot, arg, token = FRAME.unpack(self.exactly(16))
        assert flags == 0
        payload = json.loads(self.exactly(arg)) if kind in (1, 8) else None
        return kind, slot, arg, token, payload

    def send(self, kind, slot=0, arg=0, token=0, payload=None) -> None:
        body = b"" if payload is None else json.dumps(payload).encode()
        self.socket.sendall(FRAME.pack(kind, 0, slot, len(body) if payload is not None else arg, token) + body)

    def error(self, code, exit_code=2) -> None:
        self.send(8, token=exit_code, payload={"code": code, "message": f"it is {code}"})
        raise Gone(f"refused: {code}")

    def serve(self) -> None:
        config = self.config
        kind, _, _, token, hello = self.frame()
        assert (kind, token) == (1, 2)
        self.feeder.note(event="hello", **hello)
        if config["refuse"]:
            self.error(config["refuse"])
        if self.feeder.busy() or (config["one_client"] and self.feeder.has_client()):
            self.error("busy", 4)
        if config["lanes"] % hello["world"]:
            self.error("wrong-world")
        if hello["rank"] != self.rank:
            self.error("wrong-rank")
        if hello["plan"] not in (None, PLAN):
            self.error("wrong-plan")
        names, pad = config["columns"], 0
        if hello["columns"] is not None:
            names = [column["name"] for column in hello["columns"]]
            pad = {c["name"]: c.get("padValue", 0) for c in hello["columns"]}.get("tokens", 0)
            if set(names) - set(COLUMNS):
                self.error("bad-column")
        names = [*names, "_row_key"] if hello.get("rowKeys") else names
        self.world = hello["world"]
        self.stages = config["stages"] or [{"step": 0, "stage": 0, "batch": config["batch"]}]
        self.starts = config["starts"] or [epoch * config["steps"] for epoch in range(config["epochs"] + 1)]
        self.total = self.starts[-1]
        segment = FakeSegment(
            config["slots"], config["batch"] // self.world, names, self.rank, self.world,
            self.feeder.generation(), config["feed"], pad,
        )  # fmt: skip
        self.create(segment)
        self.welcome(segment, hello["step"])
        kind, *_ = self.frame()
        assert kind == 3
        self.stream_batches(segment, hello["step"])

    def create(self, segment: FakeSegment) -> None:
        name = f"rankfeed-{os.getuid()}-{self.feeder.hash}-r{self.rank}-{self.config['feed']}-{os.getpid()}"
        self.path = f"/dev/shm/{name}-{segment.identity[0]}"
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(descriptor, bytes(segment.length))
        segment.write_head(mmap.mmap(descriptor, segment.length))
        for offset, patch in self.config["patch"]:
            segment.memory[offset : offset + len(patch) // 2] = bytes.fromhex(patch)
        os.close(descriptor)

    def welcome(self, segment: FakeSegment, step: int) -> None:
        config = self.config
        payload = {
            "segment": self.path, "bytes": segment.length, "generation": segment.identity[0], "feed": config["feed"],
            "kind": config["kind"], "plan": PLAN, "version": VERSION, "rank": self.rank, "world": self.world,
            "epochs": len(self.starts) - 1, "steps": self.total, "batch": config["batch"], "stages": self.stages,
            "latest": False, "feedFile": "", "ranksHere": self.world,
            "rows": config["batch"] // self.world, "poolRows": config["pool"], "step": step,
            "graceSeconds": config["grace"],
        }  # fmt: skip
        payload |= {"epochStarts": self.starts[:-1]} if config["starts"] else {"stepsPerEpoch": config["steps"]}
        payload.update(config["welcome"])
        self.send(2, slot=config["welcome_slots"] or segment.slots, token=config["protocol"], payload=payload)

    def stream_batches(self, segment: FakeSegment, step: int) -> None:
        free, leased = list(range(segment.slots)), {}
        stream = sequence = sent = 0
        ended = False
        while True:
            while free and step < self.total:
                sequence += 1
                slot = free.pop(0)
                self.fill(segment, slot, sequence, stream, step)
                leased[slot] = (stream, sequence)
                self.send(4, slot, stream, sequence)
                sent, step = sent + 1, step + 1
                self.fault(sent, slot, stream, sequence)
            if step >= self.total and not ended:
                self.send(7, arg=stream, token=sequence + 1)
                ended = True
            kind, slot, arg, token, payload = self.frame()
            if kind == 5:
                assert leased.pop(slot) == (arg, token), "a RELEASE of what was not leased"
                free.append(slot)
                self.feeder.note(event="release", rank=self.rank, slot=slot, token=token)
            elif kind == 6:
                assert arg == stream + 1
                stream, step, ended = arg, token, False
                self.feeder.note(event="seek", rank=self.rank, step=token)
            elif kind == 8:
                self.feeder.note(event="error", **payload)
            else:
                assert kind == 10
                self.feeder.note(event="bye", rank=self.rank, held=arg, token=token)
                # The client lets go of the lock before it closes the socket, and after its last frame.
                with contextlib.suppress(Gone, OSError):
                    self.exactly(1)
                raise Gone("bye")

    def fill(self, segment: FakeSegment, slot: int, sequence: int, stream: int, step: int) -> None:
        config = self.config
        pool = config["pool"] if config["kind"] == "sequential" else None
        batch = next(stage["batch"] for stage in reversed(self.stages) if stage["step"] <= step)
        rows = row_ids(step, batch, self.rank, self.world, pool)
        torn = config["tear_step"] == step
        said = step + 1 if config["wrong_step"] == step else step
        epoch = bisect_right(self.starts, step) - 1
        segment.fill(slot, sequence, stream, said, epoch, step - self.starts[epoch], rows, torn)
        if config["sizes_step"] == step:
            struct.pack_into("<Q", segment.memory, segment.slot_table + slot * segment.descriptor + 64, 1 << 62)

    def fault(self, sent: int, slot: int, stream: int, sequence: int) -> None:
        config = self.config
        time.sleep(config["ready_pause"])
        if sent == config["die_after"]:
            os.kill(os.getpid(), signal.SIGKILL)
        if sent == config["drain_after"]:
            self.send(9, arg=stream)
            raise Gone("drained")
        if sent == config["hang_after"]:
            threading.Event().wait()
        if config["error_after"] and sent == config["error_after"][0]:
            self.error(config["error_after"][1], 3)
        if config["raw_after"] and sent == config["raw_after"][0]:
            self.socket.sendall(bytes.fromhex(config["raw_after"][1]))
        if sent == config["eos_after"]:
            self.send(7, arg=stream, token=sequence + 1)


class Feeder:
    def __init__(self, config: dict):
        self.config = config
        self.directory = Path(config["directory"])
        self.hash = hashlib.sha256(str(self.directory).encode()).hexdigest()[:8]
        self._lock = threading.Lock()
        self._generation = 0
        self._busy = config["busy_times"]

    def generation(self) -> int:
        with self._lock:
            self._generation += 1
            return self._generation

    def busy(self) -> bool:
        with self._lock:
            self._busy -= 1
            return self._busy >= 0

    def has_client(self) -> bool:
        return self._generation > 0

    def note(self, **facts) -> None:
        line = (json.dumps(facts) + "\n").encode()
        with self._lock:
            descriptor = os.open(self.config["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.write(descriptor, line)
            os.close(descriptor)

    def serve(self, ready) -> None:
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (self.directory / "feeder.lock").open("w")
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        listeners = []
        for rank in self.config["ranks"]:
            path = self.directory / f"rank-{rank}.sock"
            path.unlink(missing_ok=True)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            listener.listen()
            threading.Thread(target=self.accept, args=(listener, rank), daemon=True).start()
            listeners.append(listener)
        state = {
            "pid": os.getpid(), "run": self.directory.name, "version": VERSION, "plan": PLAN,
            "ranks": self.config["ranks"], "lanes": self.config["lanes"],
        }  # fmt: skip
        (self.directory / "feeder.json").write_text(json.dumps(state))
        ready.send("ready")
        signal.sigwait({signal.SIGTERM})

    def accept(self, listener: socket.socket, rank: int) -> None:
        while True:
            Client(self, listener.accept()[0], rank).start()


def main(config: dict, ready) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    Feeder(config).serve(ready)
