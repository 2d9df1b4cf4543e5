"""Byte-level BPE as GPT-2 does it, which is what llama.cpp calls `gpt2` with the pre-tokeniser `gpt-2`."""

import re
from collections import Counter, defaultdict

# Control tokens: a data text cannot produce them, since the host encodes data without looking for control tokens.
CONTROL = ["<|pad|>", "<|bos|>", "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|unk|>"]
PAD, BOS, END, TURN, TURN_END = 0, 1, 2, 3, 4

# The pre-tokeniser's pattern in the words of Python's `re`: letters, digits, and the rest, each with one space before.
PIECES = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")


def byte_letters():
    """One printable letter for each byte; spaces and control bytes get letters from U+0100 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in plain}
    for at, byte in enumerate(sorted(set(range(256)) - set(plain))):
        letters[byte] = chr(256 + at)
    return letters


LETTERS = byte_letters()


def spelled(piece):
    return [LETTERS[byte] for byte in piece.encode("utf-8")]


def learn_merges(texts, count):
    """The most frequent pairs, merged one after the other. Ties go to the pair that sorts last, so that a run can be repeated."""
    pieces = Counter()
    for text in texts:
        pieces.update(PIECES.findall(text))
    words = [(spelled(piece), number) for piece, number in sorted(pieces.items())]
    pairs, places = Counter(), defaultdict(set)
    for at, (word, number) in enumerate(words):
        for pair in zip(word, word[1:]):
            pairs[pair] += number
            places[pair].add(at)
    merges, known = [], set(LETTERS.values())
    while len(merges) < count and pairs:
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        if pairs[best] < 2:
            break
        joined = best[0] + best[1]
        if joined not in known:
            known.add(joined)
            merges.append(best)
            for at in sorted(places[best]):
                word, number = words[at]
                for pair in zip(word, word[1:]):
                    pairs[pair] -= number
                word = merged(word, best)
                words[at] = (word, number)
                for pair in zip(word, word[1:]):
                    pairs[pair] += number
                    places[pair].add(at)
        del pairs[best]
    return merges


def merged(word, pair):
    out, at = [], 0
    while at < len(word):
        if at + 1 < len(word) and (word[at], word[at + 1]) == tuple(pair):
            out.append(word[at] + word[at + 1])
            at += 2
        else:
            out.append(word[at])
            at += 1
    return out


class Tokenizer:
    def __init__(self, merges):
        self.merges = [tuple(pair) for pair in merges]
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self.tokens = [*CONTROL, *(LETTERS[byte] for byte in range(256)), *(a + b for a, b in self.merges)]
        self.ids = {token: at for at, token in enumerate(self.tokens)}
        self.cache = {}

    def encode(self, text):
        """Ids of a text. Control tokens in it are taken apart like any other characters."""
        ids = []
        for piece in PIECES.findall(text):
            if piece not in self.cache:
                self.cache[piece] = self._piece(piece)
            ids += self.cache[piece]
        return ids

    def _piece(self, piece):
        word = spelled(piece)
        while len(word) > 1:
            best = min(zip(word, word[1:]), key=lambda pair: self.ranks.get(pair, 1 << 30))
            if best not in self.ranks:
                break
            word = merged(word, best)
        return [self.ids[part] for part in word]
