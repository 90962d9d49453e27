"""Files that are truncated while a feeder with image steps uses them: the ranks of the file end, and no other."""

from __future__ import annotations

import json
import os
import random
import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from nodes import Feeder
from pictures import EPOCHS, FEED, LANES, ROWS, SIDE

import rankfeed as client

HELLO, WELCOME, ATTACHED, READY, RELEASE, EOS, ERROR = 1, 2, 3, 4, 5, 7, 8
FRAME = struct.Struct("<BBHIQ")
PROTOCOL = 2
WORLD, LANE_CUTS = 2, 2


class Trainer:
    """A client of the protocol that never looks into its segment."""

    def __init__(self, address: Path, rank: int):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(address))
        hello = {"feed": "train", "rank": rank, "localRank": rank, "world": WORLD, "localWorld": WORLD}
        hello |= {"pid": os.getpid(), "startTime": 1, "plan": None, "step": 0, "columns": None}
        payload = json.dumps(hello).encode()
        self.socket.sendall(FRAME.pack(HELLO, 0, 0, len(payload), PROTOCOL) + payload)
        kind, _, _, self.welcome = self.read()
        assert kind == WELCOME, self.welcome

    def read(self) -> tuple[int, int, int, dict | int]:
        """Returns type, slot, stream, and the sequence or the payload."""
        kind, _, slot, arg, token = FRAME.unpack(self.received(FRAME.size))
        return kind, slot, arg, json.loads(self.received(arg)) if kind in (WELCOME, ERROR) else token

    def received(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            more = self.socket.recv(length - len(data))
            assert more, "the feeder closed without a reason"
            data += more
        return data

    def cut_after(self, batches: int, length: int) -> str:
        """Takes some batches, truncates the segment and continues; returns how it ends, and why."""
        with self.socket:
            self.socket.sendall(FRAME.pack(ATTACHED, 0, 0, 0, 0))
            while True:
                if batches == 0:
                    os.truncate(self.welcome["segment"], length)
                batches -= 1
                kind, slot, stream, rest = self.read()
                if kind == ERROR:
                    return f"{rest['code']}: {rest['message']}"
                if kind == EOS:
                    return "end"
                assert kind == READY
                with suppress(BrokenPipeError):  # the feeder has closed; its reason is still to be read
                    self.socket.sendall(FRAME.pack(RELEASE, 0, slot, stream, rest))


def same(rows: dict, expected: dict) -> bool:
    return all((rows[key][name] == expected[key][name]).all() for key in rows for name in expected[key])


def of_rank(run: str, rank: int) -> dict[tuple[int, int], dict[str, np.ndarray]]:
    rows = {}
    with client.Feed(run, rank=rank, world=WORLD, output="numpy") as feed:
        for epoch in range(feed.epochs):
            for batch in feed:
                for i, number in enumerate(batch["id"].tolist()):
                    rows[epoch, number] = {name: batch[name][i].copy() for name in batch}
    return rows


@pytest.mark.parametrize("cuts", [3, pytest.param(24, marks=pytest.mark.nightly)])
def test_trainer_truncating_its_segment_ends_alone(picture_feeder, undisturbed, cuts):
    seed = random.SystemRandom().randrange(2**32)
    draws = random.Random(seed)
    print("seed", seed)
    with picture_feeder("cut", "--world", WORLD, "--workers", 2) as up:
        ends = []

        def cut():
            for _ in range(cuts):
                trainer = Trainer(up.folder / "rank-0.sock", 0)
                whole = trainer.welcome["bytes"]
                length = draws.choice([0, 1, 4096, draws.randrange(whole // 2), whole - 1])
                # The feeder fills every slot again after so few batches. A page that is cut in part is not lost.
                how = trainer.cut_after(draws.randrange(6), length)
                ends.append((length < whole - 1, how))

        cutter = threading.Thread(target=cut)
        cutter.start()
        rounds = 0
        while cutter.is_alive() or rounds == 0:
            rows = of_rank("cut", 1)
            assert len(rows) == ROWS * EPOCHS // WORLD
            assert same(rows, undisturbed)
            rounds += 1
        cutter.join()
        assert len(ends) == cuts
        for is_felt, how in ends:
            assert ("segment: " in how and "truncated" in how) if is_felt else how == "end", how
        assert up.process.poll() is None
        assert same(of_rank("cut", 0), undisturbed)


def test_lane_truncated_while_read_ends_only_its_ranks(pictures, undisturbed, tmp_path, monkeypatch):
    seed = random.SystemRandom().randrange(2**32)
    draws = random.Random(seed)
    print("seed", seed)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "rt"))
    config = tmp_path / "feed.yaml"
    config.write_text(FEED.format(side=SIDE, broken="zeros"))
    for number in range(LANE_CUTS):
        version = pictures.copied(tmp_path / f"{number}").path
        lane = draws.randrange(LANES)
        broken, other = lane % WORLD, 1 - lane % WORLD
        run = f"lane-{number}"
        words = ("--in-place", "--config", config, "--world", WORLD, "--workers", 2)
        with Feeder(version, tmp_path / "rt", run, *words) as up:
            [path] = (version / "lanes" / "train").glob(f"lane-{lane:05}-*.arrow")
            after = draws.randrange(1, 4)
            with (
                client.Feed(run, rank=broken, world=WORLD, output="numpy") as feed,
                pytest.raises(client.CorruptBatch, match=rf"{path.name}.*truncated"),
            ):
                taken = 0
                for _ in range(feed.epochs):
                    for _ in feed:
                        taken += 1
                        if taken == after:
                            os.truncate(path, draws.randrange(path.stat().st_size // 2))
            assert same(of_rank(run, other), undisturbed)
            assert up.process.poll() is None
