"""Writes a model as GGUF version 3, weights as F32 or Q8_0. Source: the format's description in the ggml repository."""

import struct

import numpy as np

from tokenizer import BOS, CONTROL, END, PAD, TURN_END

UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
CHAT = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def text(value):
    data = value.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def packed(kind, value):
    if kind == STRING:
        return text(value)
    if kind == ARRAY:
        of, items = value
        return struct.pack("<IQ", of, len(items)) + b"".join(packed(of, item) for item in items)
    return struct.pack({UINT32: "<I", INT32: "<i", FLOAT32: "<f", BOOL: "<?"}[kind], value)


def q8_0(matrix):
    """Blocks of 32 weights: a half-float scale, then 32 signed bytes."""
    blocks = matrix.astype(np.float32).reshape(-1, 32)
    scale = (np.abs(blocks).max(1) / 127).astype(np.float16)
    wide = scale.astype(np.float32)
    inverse = np.divide(1, wide, out=np.zeros_like(wide), where=wide > 0)
    out = np.empty((len(blocks), 34), np.uint8)
    out[:, :2] = scale.view(np.uint8).reshape(-1, 2)
    out[:, 2:] = np.clip(np.rint(blocks * inverse[:, None]), -127, 127).astype(np.int8).view(np.uint8)
    return out.tobytes()


def tensors(model):
    state = {name: value.detach().float().cpu().numpy() for name, value in model.state_dict().items()}
    yield "token_embd.weight", state["embedding.weight"]
    for at in range(model.shape["layers"]):
        for name in sorted(name for name in state if name.startswith(f"layers.{at}.")):
            yield f"blk.{at}.{name.split('.', 2)[2]}", state[name]
    yield "output_norm.weight", state["norm.weight"]


def write(path, model, tokenizer, name, kind="q8_0"):
    shape, quantised = model.shape, kind == "q8_0"
    fields = [
        ("general.architecture", STRING, "llama"),
        ("general.name", STRING, name),
        ("general.license", STRING, "mit"),
        ("general.file_type", UINT32, 7 if quantised else 0),
        ("general.quantization_version", UINT32, 2),
        ("general.alignment", UINT32, 32),
        ("llama.context_length", UINT32, shape["context"]),
        ("llama.embedding_length", UINT32, shape["width"]),
        ("llama.block_count", UINT32, shape["layers"]),
        ("llama.feed_forward_length", UINT32, shape["hidden"]),
        ("llama.attention.head_count", UINT32, shape["heads"]),
        ("llama.attention.head_count_kv", UINT32, shape["heads"]),
        ("llama.attention.layer_norm_rms_epsilon", FLOAT32, 1e-5),
        ("llama.rope.dimension_count", UINT32, shape["width"] // shape["heads"]),
        ("llama.rope.freq_base", FLOAT32, float(shape["base"])),
        ("llama.vocab_size", UINT32, len(tokenizer.tokens)),
        ("tokenizer.ggml.model", STRING, "gpt2"),
        ("tokenizer.ggml.pre", STRING, "gpt-2"),
        ("tokenizer.ggml.tokens", ARRAY, (STRING, tokenizer.tokens)),
        ("tokenizer.ggml.token_type", ARRAY, (INT32, [3 if at < len(CONTROL) else 1 for at in range(len(tokenizer.tokens))])),
        ("tokenizer.ggml.merges", ARRAY, (STRING, [f"{a} {b}" for a, b in tokenizer.merges])),
        ("tokenizer.ggml.bos_token_id", UINT32, BOS),
        ("tokenizer.ggml.eos_token_id", UINT32, TURN_END),
        ("tokenizer.ggml.eot_token_id", UINT32, TURN_END),
        ("tokenizer.ggml.padding_token_id", UINT32, PAD),
        ("tokenizer.ggml.unknown_token_id", UINT32, len(CONTROL) - 1),
        ("tokenizer.ggml.add_bos_token", BOOL, True),
        ("tokenizer.ggml.add_eos_token", BOOL, False),
        ("tokenizer.chat_template", STRING, CHAT),
    ]
    infos, data, offset = b"", [], 0
    for tensor, values in tensors(model):
        flat = values.ndim == 1 or not quantised
        body = values.astype("<f4").tobytes() if flat else q8_0(values)
        infos += text(tensor) + struct.pack("<I", values.ndim)
        infos += b"".join(struct.pack("<Q", size) for size in reversed(values.shape))
        infos += struct.pack("<IQ", 0 if flat else 8, offset)
        body += b"\0" * (-len(body) % 32)
        data.append(body)
        offset += len(body)
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(data), len(fields))
    head += b"".join(text(key) + struct.pack("<I", kind) + packed(kind, value) for key, kind, value in fields) + infos
    with open(path, "wb") as file:
        file.write(head + b"\0" * (-len(head) % 32))
        for body in data:
            file.write(body)
