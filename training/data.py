"""Reads examples and turns them into what the starter model is shown."""

import json

from tokenizer import BOS, TURN, TURN_END

VERDICTS = ["approve", "flag", "reject"]
ANSWER = '{"verdict":"'


def read(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)


def prompt_ids(tokenizer, text):
    """The person's turn holds the canonical form; the assistant's turn is begun up to the verdict."""
    user = [BOS, TURN, *tokenizer.encode("user\n"), *tokenizer.encode(text), TURN_END, *tokenizer.encode("\n")]
    return [*user, TURN, *tokenizer.encode("assistant\n"), *tokenizer.encode(ANSWER)]


def answer_ids(tokenizer, example):
    rest = f'","reason":"{example["reason"]}"}}'
    return [*tokenizer.encode(example["label"]), *tokenizer.encode(rest), TURN_END]
