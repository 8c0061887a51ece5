"""Trains the tiny model, and answers questions with it.

    python3 train.py --data data --seconds 900 --out model.safetensors
    python3 train.py --init model.safetensors --seconds 0 --questions questions.json --answers answers.json

The data are batches of write-batches.js, which runs beside it. A Llama of 8 layers; Muon for its matrices, Adam for the
embedding and the norms, a linear decay. Needs one GPU, torch and safetensors.
"""

import argparse
import json
import math
import os
import queue
import threading
import time

import numpy
import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn import functional

options = argparse.ArgumentParser()
options.add_argument("--seconds", type=float, default=900)
options.add_argument("--dim", type=int, default=256)
options.add_argument("--layers", type=int, default=8)
options.add_argument("--heads", type=int, default=8)
options.add_argument("--ffn", type=int, default=640)
options.add_argument("--vocabulary", type=int, default=6144)
options.add_argument("--data", default="data")
options.add_argument("--out", default="model.safetensors")
options.add_argument("--init", default="", help="weights to go on from")
options.add_argument("--matrix-rate", type=float, default=0.008)
options.add_argument("--other-rate", type=float, default=0.0015)
options.add_argument("--uses", type=int, default=2, help="how often a batch may be used")
options.add_argument("--questions", default="")
options.add_argument("--answers", default="")
options.add_argument("--seed", type=int, default=1)
given = options.parse_args()

DEVICE = "cuda"
END = 2
OWN = 0x8000
LENGTHS = (128, 192, 256, 384, 640, 1024, 1536, 2048)
BATCH_TOKENS = 65536
NEW_TOKENS = 220
dim, heads, layers = given.dim, given.heads, given.layers
head_dim = dim // heads

torch.manual_seed(given.seed)
numpy.random.seed(given.seed)
torch.set_float32_matmul_precision("high")
torch._dynamo.config.cache_size_limit = 64


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1 = nn.Parameter(torch.ones(dim))
        self.n2 = nn.Parameter(torch.ones(dim))
        for name, rows, columns in (
            ("q", dim, dim),
            ("k", dim, dim),
            ("v", dim, dim),
            ("o", dim, dim),
            ("g", given.ffn, dim),
            ("u", given.ffn, dim),
            ("d", dim, given.ffn),
        ):
            setattr(self, name, nn.Linear(columns, rows, bias=False))


def norm(x, weight):
    full = x.float()
    return (full * torch.rsqrt(full.pow(2).mean(-1, keepdim=True) + 1e-5) * weight.float()).to(x.dtype)


def rotate(x, cos, sin):
    """Rotates pairs of neighbours, as llama.cpp does for this architecture."""
    even, odd = x[..., 0::2].float(), x[..., 1::2].float()
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2).to(x.dtype)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(given.vocabulary, dim)
        self.blocks = nn.ModuleList(Block() for _ in range(layers))
        self.nf = nn.Parameter(torch.ones(dim))
        nn.init.normal_(self.emb.weight, std=0.02)
        for name, weight in self.named_parameters():
            if weight.ndim != 2 or "emb" in name:
                continue
            spread = weight.shape[1] * (2 * layers if name.endswith(("o.weight", "d.weight")) else 1)
            nn.init.normal_(weight, std=0.5 / math.sqrt(spread))
        angles = torch.arange(2048)[:, None] * (10000.0 ** (-torch.arange(0, head_dim, 2) / head_dim))[None]
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def hidden(self, ids, cache=None, at=0, mask=None):
        count, length = ids.shape
        x = functional.embedding(ids, self.emb.weight).to(torch.bfloat16)
        cos, sin = self.cos[at : at + length], self.sin[at : at + length]
        for number, block in enumerate(self.blocks):
            h = norm(x, block.n1)
            q, k, v = (m(h).view(count, length, heads, head_dim).transpose(1, 2) for m in (block.q, block.k, block.v))
            q, k = rotate(q, cos, sin), rotate(k, cos, sin)
            if cache is None:
                y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            else:
                keys, values = cache[number]
                keys[:, :, at : at + length] = k
                values[:, :, at : at + length] = v
                seen = mask[:, :, at : at + length, : at + length]
                y = functional.scaled_dot_product_attention(
                    q, keys[:, :, : at + length], values[:, :, : at + length], attn_mask=seen
                )
            x = x + block.o(y.transpose(1, 2).reshape(count, length, dim))
            h = norm(x, block.n2)
            x = x + block.d(functional.silu(block.g(h)) * block.u(h))
        return norm(x, self.nf)

    def logits(self, hidden):
        return hidden @ self.emb.weight.t().to(hidden.dtype)


class Muon:
    """Momentum whose step is made orthogonal by five iterations of Newton and Schulz."""

    def __init__(self, weights, rate):
        self.rate = rate
        self.groups = {}
        for weight in weights:
            self.groups.setdefault(tuple(weight.shape), []).append(weight)
        self.momentum = {shape: torch.zeros(len(group), *shape, device=DEVICE) for shape, group in self.groups.items()}

    @torch.no_grad()
    def step(self, scale):
        for shape, group in self.groups.items():
            gradient = torch.stack([weight.grad for weight in group])
            momentum = self.momentum[shape]
            momentum.lerp_(gradient, 0.05)
            x = gradient.lerp(momentum, 0.95).bfloat16()
            tall = shape[0] > shape[1]
            if tall:
                x = x.mT
            x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
            for _ in range(5):
                a = x @ x.mT
                x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
            if tall:
                x = x.mT
            rate = self.rate * scale
            x = x.float() * (rate * max(1, shape[0] / shape[1]) ** 0.5)
            for weight, change in zip(group, x):
                weight.mul_(1 - 0.1 * rate)
                weight.sub_(change)


def batches():
    """Gives the batches that are ready, shuffled, each at most `--uses` times; waits for the first."""
    used = {}
    while True:
        files = sorted(name for name in os.listdir(given.data) if name.endswith(".bin"))
        if len(files) < 8:
            time.sleep(0.05)
            continue
        numpy.random.shuffle(files)
        for name in files[:64]:
            path = os.path.join(given.data, name)
            raw = numpy.fromfile(path, dtype=numpy.uint16)
            used[name] = used.get(name, 0) + 1
            if used[name] >= given.uses:
                os.remove(path)
            yield torch.from_numpy(raw.astype(numpy.int32).reshape(-1, int(name.split("_")[0])))


def train(model):
    ready = queue.Queue(48)

    def feed():
        for batch in batches():
            ready.put(batch.pin_memory())

    threading.Thread(target=feed, daemon=True).start()
    matrices = [weight for name, weight in model.named_parameters() if weight.ndim == 2 and "emb" not in name]
    others = [weight for name, weight in model.named_parameters() if weight.ndim != 2 or "emb" in name]
    muon = Muon(matrices, given.matrix_rate)
    adam = torch.optim.AdamW(others, lr=given.other_rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    hidden = torch.compile(model.hidden, dynamic=False)
    begun = time.time()
    for length in LENGTHS:
        with torch.autocast("cuda", torch.bfloat16):
            ids = torch.zeros(BATCH_TOKENS // length, length, dtype=torch.long, device=DEVICE)
            hidden(ids).float().sum().backward()
    model.zero_grad(set_to_none=True)
    torch.cuda.synchronize()
    print(f"compiled in {time.time() - begun:.0f} s", flush=True)
    begun = shown = time.time()
    steps = tokens = told = 0
    waited = 0.0
    losses = []
    while time.time() - begun < given.seconds:
        asked = time.time()
        batch = ready.get().to(DEVICE, non_blocking=True)
        waited += time.time() - asked
        ids, own = (batch & (OWN - 1)).long(), (batch & OWN) > 0
        progress = (time.time() - begun) / given.seconds
        scale = min(1.0, (steps + 1) / 100) * min(1.0, max(0.0, (1 - progress) / 0.95))
        with torch.autocast("cuda", torch.bfloat16):
            h = hidden(ids)
            places = own[:, 1:].flatten().nonzero().squeeze(1)
            h = h[:, :-1].reshape(-1, dim).index_select(0, places)
            wanted = ids[:, 1:].flatten().index_select(0, places)
            loss = functional.cross_entropy(model.logits(h).float(), wanted)
        loss.backward()
        for group in adam.param_groups:
            group["lr"] = given.other_rate * scale
        torch.nn.utils.clip_grad_norm_(others, 1.0)
        muon.step(scale)
        adam.step()
        model.zero_grad(set_to_none=True)
        steps += 1
        tokens += ids.numel()
        losses.append(loss.detach())
        if steps % 25 == 0 and time.time() - shown > 15:
            now = time.time()
            mean = torch.stack(losses).mean().item()
            speed = (tokens - told) / (now - shown) / 1e6
            files = len(os.listdir(given.data))
            print(
                f"{now - begun:6.0f} s, {steps} steps, loss {mean:.4f}, {speed:.2f} M tokens a second, "
                f"{tokens / 1e6:.0f} M in all, waited {waited:.1f} s, {files} files",
                flush=True,
            )
            shown, told, waited, losses = now, tokens, 0.0, []
    print(f"trained {steps} steps, {tokens} tokens with padding", flush=True)
    save_file({name: weight.half().contiguous() for name, weight in model.state_dict().items()}, given.out)


@torch.no_grad()
def answer(model):
    """Answers all questions, always with the likeliest token."""
    with open(given.questions) as file:
        questions = json.load(file)
    questions.sort(key=lambda question: len(question["ids"]))
    answers = {}
    begun = time.time()
    for start in range(0, len(questions), 512):
        part = questions[start : start + 512]
        count, length = len(part), max(len(question["ids"]) for question in part)
        most = length + NEW_TOKENS
        ids = torch.zeros(count, length, dtype=torch.long)
        keep = torch.zeros(count, most, dtype=torch.bool)
        keep[:, length:] = True
        for row, question in enumerate(part):
            size = len(question["ids"])
            ids[row, length - size :] = torch.tensor(question["ids"])
            keep[row, length - size : length] = True
        keep, ids = keep.to(DEVICE), ids.to(DEVICE)
        causal = torch.ones(most, most, dtype=torch.bool, device=DEVICE).tril()[None, None]
        mask = (causal & keep[:, None, None, :]) | torch.eye(most, dtype=torch.bool, device=DEVICE)[None, None]
        shape = (count, heads, most, head_dim)
        cache = [
            tuple(torch.zeros(shape, device=DEVICE, dtype=torch.bfloat16) for _ in range(2)) for _ in range(layers)
        ]
        with torch.autocast("cuda", torch.bfloat16):
            h = model.hidden(ids, cache, 0, mask)[:, -1]
            written = []
            done = torch.zeros(count, dtype=torch.bool, device=DEVICE)
            for step in range(NEW_TOKENS - 1):
                token = model.logits(h).argmax(-1)
                written.append(token)
                done |= token == END
                if step % 8 == 7 and done.all():
                    break
                h = model.hidden(token[:, None], cache, length + step, mask)[:, -1]
        for question, row in zip(part, torch.stack(written, 1).cpu().tolist()):
            answers[question["id"]] = row[: row.index(END) + 1] if END in row else row
    with open(given.answers, "w") as file:
        json.dump(answers, file)
    print(f"answered {len(questions)} questions in {time.time() - begun:.0f} s", flush=True)


model = Model().to(DEVICE)
print(f"{sum(weight.numel() for weight in model.parameters())} parameters", flush=True)
if given.init:
    model.load_state_dict({name: weight.float() for name, weight in load_file(given.init, device=DEVICE).items()})
if given.seconds > 0:
    train(model)
if given.questions:
    model.eval()
    answer(model)
