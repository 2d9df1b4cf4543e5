"""Trains the linear model: python3 train_linear.py OUT_FILE SEED EXAMPLES…

Softmax regression over hashed features, weights of 8 bits. The hash is the one of src/core/review/features.ts. The temperature is
set on the `tune` split only.
"""

import base64
import functools
import json
import sys

import numpy as np

from data import VERDICTS, read

BUCKETS, EPOCHS, BATCH, PULL = 8192, 12, 256, 3e-6


@functools.cache
def place(feature):
    value = 0x811C9DC5
    data = feature.encode("utf-16-le")
    for at in range(0, len(data), 2):
        value = ((value ^ (data[at] | data[at + 1] << 8)) * 0x01000193) & 0xFFFFFFFF
    value ^= value >> 15
    return (value * 0x2C1B3C6D & 0xFFFFFFFF) % BUCKETS


def softmax(scores):
    wide = np.exp(scores - scores.max(1, keepdims=True))
    return wide / wide.sum(1, keepdims=True)


def scores(weights, rows):
    return np.stack([weights[row].sum(0) for row in rows])


def train(rows, labels, odds, seed):
    """Adagrad with a small pull to zero, so that what is seen rarely says little."""
    chance = np.random.default_rng(seed)
    weights, seen = np.zeros((BUCKETS, 3)), np.full((BUCKETS, 3), 1e-2)
    for _ in range(EPOCHS * len(rows) // BATCH):
        batch = chance.choice(len(rows), BATCH, p=odds)
        drawn = [rows[at] for at in batch]
        found = softmax(scores(weights, drawn))
        found[np.arange(BATCH), labels[batch]] -= 1
        places, shares = np.concatenate(drawn), np.repeat(found, [len(row) for row in drawn], axis=0)
        sums = [np.bincount(places, shares[:, verdict], BUCKETS) for verdict in range(3)]
        gradient = np.stack(sums, 1) / BATCH + PULL * weights
        seen += gradient**2
        weights -= 0.12 * gradient / np.sqrt(seen)
    return weights


def temperature(values, labels):
    """The divisor of scores at which probabilities are as often right as they say."""
    tried = [(-np.log(softmax(values / t)[np.arange(len(labels)), labels] + 1e-9).mean(), t) for t in np.arange(0.5, 5, 0.1)]
    return float(min(tried)[1])


def main():
    out, seed, *paths = sys.argv[1:]
    examples = [e for e in read(paths) if e["need"] != "never" or hash_share(e) < 0.15]
    rows = [np.array(sorted({place(f) for f in e["features"]})) for e in examples]
    labels = np.array([VERDICTS.index(e["label"]) for e in examples])
    splits = np.array([e["split"] for e in examples])
    weight = np.array([e["weight"] for e in examples])
    at = np.flatnonzero(splits == "train")
    goal, odds = [0.5, 0.22, 0.28], np.zeros(len(at))
    for label in range(3):
        mine = labels[at] == label
        odds[mine] = goal[label] * weight[at][mine] / weight[at][mine].sum()
    weights = train([rows[i] for i in at], labels[at], odds / odds.sum(), int(seed))
    scale = np.abs(weights).max() / 127
    small = np.clip(np.rint(weights / scale), -127, 127).astype(np.int8)
    tune = np.flatnonzero((splits == "tune") & np.array([e["need"] != "never" for e in examples]))
    values = scores(small * scale, [rows[i] for i in tune])
    heat = temperature(values, labels[tune])
    found = softmax(values / heat)
    print(f"train {len(at)}, tune {len(tune)}: accuracy {(found.argmax(1) == labels[tune]).mean():.3f}, heat {heat:.1f}")
    # Thresholds are set by measure.ts, which sees both models and the host's own rules.
    model = {"format": 1, "name": "lacuna-linear", "buckets": BUCKETS, "scale": float(scale), "temperature": heat, "flagAt": 0.5, "flagAloneAt": 0.5, "rejectAt": 0.5}
    model["weights"] = base64.b64encode(small.tobytes()).decode("ascii")
    with open(out, "w", encoding="utf-8") as file:
        json.dump(model, file)
        file.write("\n")


def hash_share(example):
    return place(example["id"]) / BUCKETS


if __name__ == "__main__":
    main()
