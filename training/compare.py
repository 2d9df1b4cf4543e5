"""Tells how far two GGUF files of the starter model are from each other: python3 compare.py A B

Exit code 0 where no weight differs by more than a step of its 8 bits in a hundredth of the blocks: other builds of torch round
differently, and the verdicts stay the same. 1 otherwise.
"""

import struct
import sys

import numpy as np

SHARE, BLOCK = 0.01, 34


def scalar(file, kind):
    size = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}[kind]
    return struct.unpack(f"<{size}", file.read(struct.calcsize(size)))[0]


def text(file):
    return file.read(scalar(file, 10)).decode("utf-8")


def value(file, kind):
    if kind == 8:
        return text(file)
    if kind == 9:
        of, count = scalar(file, 4), scalar(file, 10)
        return [value(file, of) for _ in range(count)]
    return scalar(file, kind)


def read(path):
    """Description, and the tensors by name: 8-bit ones as blocks of bytes, the others as floats."""
    with open(path, "rb") as file:
        assert file.read(4) == b"GGUF", path
        _, tensors, fields = scalar(file, 4), scalar(file, 10), scalar(file, 10)
        described = {}
        for _ in range(fields):
            name = text(file)
            described[name] = value(file, scalar(file, 4))
        infos = []
        for _ in range(tensors):
            name = text(file)
            shape = [scalar(file, 10) for _ in range(scalar(file, 4))]
            infos.append((name, shape, scalar(file, 4), scalar(file, 10)))
        begin = (file.tell() + 31) // 32 * 32
        found = {}
        for name, shape, kind, offset in infos:
            file.seek(begin + offset)
            count = int(np.prod(shape))
            found[name] = (
                np.frombuffer(file.read(count // 32 * BLOCK), np.int8).reshape(-1, BLOCK)
                if kind == 8
                else np.frombuffer(file.read(count * 4), "<f4")
            )
        return described, found


def main():
    (a_text, a), (b_text, b) = read(sys.argv[1]), read(sys.argv[2])
    if a_text != b_text or {n: t.shape for n, t in a.items()} != {n: t.shape for n, t in b.items()}:
        print("vocabulary, shape or description differ: the data were others")
        return 1
    blocks = [(a[n][:, 2:].astype(int), b[n][:, 2:].astype(int)) for n in a if a[n].ndim == 2]
    far = sum(int((np.abs(x - y) > 1).any(1).sum()) for x, y in blocks)
    count = sum(len(x) for x, _ in blocks)
    print(f"{far} of {count} blocks differ by more than a step of 8 bits")
    return 0 if far <= count * SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
