"""The index lists of weighted-mtp's first sampler, by the real ``random`` of this Python: what the Java side must give.

``python weighted_mtp_v1.py`` writes the golden file that both sides read.
"""

import hashlib
import json
import random
from pathlib import Path

GOLDEN = Path(__file__).parents[3] / "sampling/src/test/resources/golden/weighted-mtp-v1.json"
BINS = {"low": [1, 3], "medium": [4, 7], "high": [8, 11]}
STAGES = [
    {"low": 0.7, "medium": 0.3, "high": 0.0},
    {"low": 0.3, "medium": 0.6, "high": 0.1},
    {"low": 0.1, "medium": 0.5, "high": 0.4},
]


def rows(count):
    """Makes rows in the form of a metadata JSON, by arithmetic that every language has."""
    made = []
    for i in range(count):
        word = i * 2654435761 % 2**32
        difficulty = (word >> 16) % 14 - 1
        made.append({"is_correct": (word >> 9) % 5 < 3, "difficulty": None if i % 17 == 5 else difficulty})
    return made


def take(rows, wanted):
    return random.sample(rows, min(wanted, len(rows)))


def indices(metadata, samples, seed, balance=False, ratio=0.5, bins=None, weights=None):
    random.seed(seed)
    everything = range(len(metadata))
    right = [i for i in everything if metadata[i].get("is_correct")]
    wrong = [i for i in everything if not metadata[i].get("is_correct")]
    if bins and weights:
        if "difficulty" not in metadata[0]:
            return take(everything, samples)
        chosen = by_difficulty(metadata, samples, balance and "is_correct" in metadata[0], ratio, bins, weights)
    elif "is_correct" in metadata[0] and balance:
        chosen = take(right, int(samples * ratio)) + take(wrong, samples - int(samples * ratio))
    elif "is_correct" in metadata[0] and ratio == 1.0:
        chosen = take(right, samples)
    else:
        return take(everything, samples)
    random.shuffle(chosen)
    return chosen[:samples]


def by_difficulty(metadata, samples, balance, ratio, bins, weights):
    def bin_of(difficulty):
        if difficulty is not None:
            for name, (low, high) in bins.items():
                if low <= difficulty <= high:
                    return name
        return None

    bin_by_row = [bin_of(row.get("difficulty")) for row in metadata]
    chosen = []
    for name, weight in weights.items():
        if weight <= 0:
            continue
        wanted = int(samples * weight)
        here = [i for i, found in enumerate(bin_by_row) if found == name]
        if not balance:
            chosen += take(here, wanted)
            continue
        right = [i for i in here if metadata[i].get("is_correct")]
        wrong = [i for i in here if not metadata[i].get("is_correct")]
        rights = min(int(wanted * ratio), len(right))
        wrongs = min(wanted - int(wanted * ratio), len(wrong))
        lacking = wanted - rights - wrongs
        if rights < int(wanted * ratio) and len(wrong) > wrongs:
            wrongs = min(wrongs + lacking, len(wrong))
        elif wrongs < wanted - int(wanted * ratio) and len(right) > rights:
            rights = min(rights + lacking, len(right))
        chosen += random.sample(right, rights) + random.sample(wrong, wrongs)
    if len(chosen) < samples:
        taken = set(chosen)
        chosen += take([i for i in range(len(metadata)) if i not in taken], samples - len(chosen))
    return chosen


def digest(numbers):
    return hashlib.sha256(",".join(map(str, numbers)).encode()).hexdigest()[:16]


def golden():
    """Returns lists of every strategy over sets that are large, small, and smaller than what is asked for."""
    lists = []
    for count, samples in [(40, 12), (300, 100), (300, 290), (300, 400), (1, 5), (5000, 1000), (200_000, 50_000)]:
        for seed in (42, 0, -7, 2**40 + 3) if count < 100_000 else (42,):
            for wish in wishes():
                numbers = indices(rows(count), samples, seed, **wish)
                lists.append(
                    {"rows": count, "samples": samples, "seed": seed}
                    | wish
                    | {"length": len(numbers), "first": numbers[:12], "digest": digest(numbers)}
                )
    return {"lists": lists, "words": [word_case(seed) for seed in (0, 1, 42, -42, 2**32 - 1, 2**32, 2**63 - 1)]}


def wishes():
    yield {}
    yield {"balance": True, "ratio": 0.5}
    yield {"balance": True, "ratio": 0.29}
    yield {"ratio": 1.0}
    for weights in STAGES:
        yield {"bins": BINS, "weights": weights}
        yield {"bins": BINS, "weights": weights, "balance": True, "ratio": 0.5}
    yield {"bins": BINS, "weights": STAGES[2], "balance": True, "ratio": 1.0}
    yield {"bins": {"all": [0, 20], "never": [3, 5]}, "weights": {"all": 0.9, "never": 0.5, "unknown": 0.1}}


def word_case(seed):
    chance = random.Random(seed)
    return {"seed": seed, "words": [chance.getrandbits(32) for _ in range(700)][-4:]}


if __name__ == "__main__":
    lines = ",\n".join(json.dumps(one) for one in golden()["lists"])
    words = ",\n".join(json.dumps(one) for one in golden()["words"])
    GOLDEN.write_text('{"lists": [\n' + lines + '\n],\n"words": [\n' + words + "\n]}\n")
