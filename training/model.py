"""A small llama-architecture model. Rotary positions are in llama.cpp's own order, so weights go out as they are."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight).to(x.dtype)


def rotated(x, cos, sin):
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


class Layer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        width, self.heads = shape["width"], shape["heads"]
        self.attn_norm, self.ffn_norm = Norm(width), Norm(width)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            setattr(self, name, nn.Linear(width, width, bias=False))
        self.ffn_gate = nn.Linear(width, shape["hidden"], bias=False)
        self.ffn_up = nn.Linear(width, shape["hidden"], bias=False)
        self.ffn_down = nn.Linear(shape["hidden"], width, bias=False)

    def forward(self, x, cos, sin, mask, dropout):
        batch, length, width = x.shape
        y = self.attn_norm(x)
        q, k, v = (
            part(y).view(batch, length, self.heads, -1).transpose(1, 2) for part in (self.attn_q, self.attn_k, self.attn_v)
        )
        q, k = rotated(q, cos, sin), rotated(k, cos, sin)
        scores = (q @ k.transpose(-1, -2)).float() / math.sqrt(width // self.heads) + mask
        y = (torch.softmax(scores, -1).to(v.dtype) @ v).transpose(1, 2).reshape(batch, length, width)
        x = x + F.dropout(self.attn_output(y), dropout, self.training)
        y = self.ffn_norm(x)
        y = self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))
        return x + F.dropout(y, dropout, self.training)


class Reviewer(nn.Module):
    """`shape`: vocabulary, width, heads, layers, hidden, context, base (of the rotary positions)."""

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape["vocabulary"], shape["width"])
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape["layers"]))
        self.norm = Norm(shape["width"])
        for weight in self.parameters():
            if weight.dim() > 1:
                nn.init.normal_(weight, 0, 0.02)
        for layer in self.layers:
            for part in (layer.attn_output, layer.ffn_down):
                nn.init.normal_(part.weight, 0, 0.02 / math.sqrt(2 * shape["layers"]))
        half = shape["width"] // shape["heads"] // 2
        frequencies = 1.0 / shape["base"] ** (torch.arange(half).float() / half)
        angles = torch.arange(shape["trained"]).float()[:, None] * frequencies
        self.register_buffer("cos", angles.cos(), False)
        self.register_buffer("sin", angles.sin(), False)
        self.register_buffer("mask", torch.full((shape["trained"],) * 2, -1e4).triu(1), False)

    def forward(self, ids, dropout=0.0):
        """Hidden states; the head is the embedding."""
        length = ids.shape[1]
        x = self.embedding(ids)
        cos, sin, mask = self.cos[:length].to(x.dtype), self.sin[:length].to(x.dtype), self.mask[:length, :length]
        for layer in self.layers:
            x = layer(x, cos, sin, mask, dropout)
        return self.norm(x)

    def logits(self, hidden):
        return F.linear(hidden, self.embedding.weight)
