"""Trains the starter model: python3 train_starter.py OUT_FOLDER STEPS SEED EXAMPLES…

Checkpoints (weights and a GGUF) are written as it goes on; the same seed, steps and examples give the same weights on the same
build of torch. One thread.
"""

import json
import math
import os
import random
import sys
import time

import torch
from torch.nn import functional as F

import gguf
from data import ANSWER, VERDICTS, answer_ids, prompt_ids, read
from model import Reviewer
from tokenizer import PAD, Tokenizer, learn_merges

BATCH, VOCABULARY, LONGEST = 32, 2048, 320
SHAPE = {"width": 128, "heads": 4, "layers": 3, "hidden": 256, "context": 1024, "trained": 512, "base": 10000.0}


def kept(example, chance):
    """What never reaches the model at work is shown to it only now and then."""
    return example["need"] != "never" or chance.random() < 0.12


def prepared(examples, tokenizer):
    for example in examples:
        prompt = prompt_ids(tokenizer, example["text"])
        answer = answer_ids(tokenizer, example)
        if len(prompt) + len(answer) <= LONGEST:
            yield prompt, answer, example


def shares(rows):
    """How often each example is drawn: its weight, with the three verdicts brought nearer to each other."""
    totals = {verdict: 0.0 for verdict in VERDICTS}
    for _, _, example in rows:
        totals[example["label"]] += example["weight"]
    goal = {"approve": 0.5, "flag": 0.22, "reject": 0.28}
    return [example["weight"] * goal[example["label"]] / totals[example["label"]] for _, _, example in rows]


def batched(rows):
    length = max(len(prompt) + len(answer) for prompt, answer, _ in rows)
    ids = torch.full((len(rows), length), PAD)
    weights = torch.zeros(len(rows), length)
    for at, (prompt, answer, _) in enumerate(rows):
        ids[at, : len(prompt) + len(answer)] = torch.tensor(prompt + answer)
        weights[at, len(prompt) : len(prompt) + len(answer)] = 0.15
        weights[at, len(prompt)] = 1.0
    return ids, weights


def verdicts(model, tokenizer, rows):
    """Probabilities of the three verdicts at the place where the verdict stands."""
    first = [tokenizer.encode(verdict)[0] for verdict in VERDICTS]
    out = []
    with torch.no_grad():
        for at in range(0, len(rows), 64):
            part = rows[at : at + 64]
            length = max(len(prompt) for prompt, _, _ in part)
            ids = torch.full((len(part), length), PAD)
            for place, (prompt, _, _) in enumerate(part):
                ids[place, : len(prompt)] = torch.tensor(prompt)
            hidden = model(ids)[torch.arange(len(part)), torch.tensor([len(prompt) - 1 for prompt, _, _ in part])]
            out.append(torch.softmax(model.logits(hidden)[:, first].float(), -1))
    return torch.cat(out)


def report(model, tokenizer, rows):
    model.eval()
    found = verdicts(model, tokenizer, rows).argmax(1).tolist()
    model.train()
    right = sum(VERDICTS[guess] == example["label"] for guess, (_, _, example) in zip(found, rows))
    bad = [(guess, example) for guess, (_, _, example) in zip(found, rows) if example["label"] != "approve"]
    good = [(guess, example) for guess, (_, _, example) in zip(found, rows) if example["label"] == "approve"]
    recall = sum(guess > 0 for guess, _ in bad) / max(1, len(bad))
    alarms = sum(guess > 0 for guess, _ in good) / max(1, len(good))
    return f"accuracy {right / len(rows):.3f} recall {recall:.3f} alarms {alarms:.3f}"


def main():
    out, steps, seed, *paths = sys.argv[1:]
    steps, seed = int(steps), int(seed)
    os.makedirs(out, exist_ok=True)
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    chance = random.Random(seed)
    examples = [example for example in read(paths) if kept(example, chance)]
    train = [example for example in examples if example["split"] == "train"]
    merges_file = os.path.join(out, "merges.json")
    if os.path.exists(merges_file):
        merges = json.load(open(merges_file, encoding="utf-8"))
    else:
        sample = chance.sample(train, min(len(train), 12000))
        texts = [example["text"] for example in sample]
        texts += [f'{ANSWER}{e["label"]}","reason":"{e["reason"]}"}}' for e in sample] + ["user\n", "assistant\n"] * 1000
        merges = learn_merges(texts, VOCABULARY - 6 - 256)
        json.dump(merges, open(merges_file, "w", encoding="utf-8"))
    tokenizer = Tokenizer(merges)
    assert len({tokenizer.encode(verdict)[0] for verdict in VERDICTS}) == 3
    rows = list(prepared(train, tokenizer))
    tune = list(prepared((e for e in examples if e["split"] == "tune" and e["need"] != "never"), tokenizer))[:1500]
    odds = shares(rows)
    model = Reviewer({**SHAPE, "vocabulary": len(tokenizer.tokens)})
    lengths = [len(prompt) for prompt, _, _ in rows]
    print(f"{len(rows)} examples, {sum(lengths) / len(lengths):.0f} tokens, {sum(p.numel() for p in model.parameters())} weights", flush=True)
    decayed = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() == 1]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.05}, {"params": others, "weight_decay": 0}], betas=(0.9, 0.97))
    begun, mean = time.time(), None
    pool = []
    for step in range(steps):
        if not pool:
            drawn = chance.choices(rows, odds, k=BATCH * 16)
            drawn.sort(key=lambda row: len(row[0]))
            pool = [drawn[at : at + BATCH] for at in range(0, len(drawn), BATCH)]
            chance.shuffle(pool)
        ids, weights = batched(pool.pop())
        rate = 2e-3 * min(1, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / steps)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        hidden = model(ids[:, :-1], 0.05)
        wanted = weights[:, 1:] > 0
        logits = model.logits(hidden[wanted])
        share = weights[:, 1:][wanted]
        losses = F.cross_entropy(logits, ids[:, 1:][wanted], reduction="none")
        loss = (losses * share).sum() / share.sum()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        verdict = losses[share == 1.0].mean().item()
        mean = verdict if mean is None else 0.98 * mean + 0.02 * verdict
        if step % 50 == 0:
            print(f"{(time.time() - begun) / 60:.1f} min, step {step}, verdict loss {mean:.3f}", flush=True)
        if step % 200 == 199 or step == steps - 1:
            torch.save({"state": model.state_dict(), "shape": model.shape, "step": step}, os.path.join(out, "starter.pt"))
            gguf.write(os.path.join(out, "starter.gguf"), model, tokenizer, "lacuna-starter")
            print(f"tune: {report(model, tokenizer, tune)}", flush=True)


if __name__ == "__main__":
    main()
