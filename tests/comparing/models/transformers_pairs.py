"""Models of transformers from their configurations, and plain ones: right, or with a planted fault."""

import math
from collections import OrderedDict

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.models.stranger_parts import Pair, PostBlock, PreBlock, Rms, carry, shaken

WIDTH, WORDS = 16, 31


def bert(fault: str = "") -> Pair:
    """BERT of transformers, and a plain one."""
    from transformers import BertConfig, BertModel

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(12, WIDTH)
            self.types, self.norm = nn.Embedding(2, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
            self.blocks = nn.Sequential(PostBlock(WIDTH, 2), PostBlock(WIDTH, 2, fault))

        def forward(self, ids: Tensor) -> Tensor:
            x = self.words(ids) + self.places(torch.arange(ids.size(1)))
            return self.blocks(self.norm(x if fault == "types" else x + self.types(torch.zeros_like(ids))))

    torch.manual_seed(1)
    sizes = {"vocab_size": WORDS, "hidden_size": WIDTH, "intermediate_size": 2 * WIDTH, "max_position_embeddings": 12}
    config = BertConfig(num_hidden_layers=2, num_attention_heads=2, **sizes)
    first, second = shaken(BertModel(config, add_pooling_layer=False)), Plain()
    names = {
        "words.": "embeddings.word_embeddings.", "places.": "embeddings.position_embeddings.",
        "types.": "embeddings.token_type_embeddings.", "blocks.": "encoder.layer.",
        "attn.q": "attention.self.query", "attn.k": "attention.self.key", "attn.v": "attention.self.value",
        "attn.o": "attention.output.dense", "n1": "attention.output.LayerNorm",
        "up.": "intermediate.dense.", "down": "output.dense", "n2": "output.LayerNorm",
        "norm.": "embeddings.LayerNorm.",
    }  # fmt: skip
    carry(first, second, names)
    return first, second


def vit(fault: str = "") -> Pair:
    """A vision transformer of transformers; and a plain one, whose patches are cut by reshaping."""
    from transformers import ViTConfig, ViTModel

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.patch, self.norm = nn.Linear(48, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
            self.token, self.places = nn.Parameter(torch.zeros(1, 1, WIDTH)), nn.Parameter(torch.zeros(1, 5, WIDTH))
            self.blocks = nn.Sequential(PreBlock(WIDTH, 2), PreBlock(WIDTH, 2, fault))

        def forward(self, image: Tensor) -> Tensor:
            cut = image.unflatten(2, (2, 4)).unflatten(4, (2, 4))
            order = (0, 4, 2, 1, 3, 5) if fault == "patches" else (0, 2, 4, 1, 3, 5)
            x = self.patch(cut.permute(order).flatten(3).flatten(1, 2))
            x = torch.cat([self.token.expand(len(x), -1, -1), x], 1)
            return self.norm(self.blocks(x + (self.places.flip(1) if fault == "places" else self.places)))

    torch.manual_seed(2)
    sizes = {"hidden_size": WIDTH, "intermediate_size": 2 * WIDTH, "image_size": 8, "patch_size": 4}
    config = ViTConfig(num_hidden_layers=2, num_attention_heads=2, **sizes)
    first, second = shaken(ViTModel(config, add_pooling_layer=False)), Plain()
    first.embeddings.position_embeddings.data.normal_()
    first.embeddings.cls_token.data.normal_()
    names = {
        "attn.q": "attention.q_proj", "attn.k": "attention.k_proj", "attn.v": "attention.v_proj",
        "attn.o": "attention.o_proj", "up.": "mlp.fc1.", "down": "mlp.fc2", "blocks.": "layers.",
        "n1": "layernorm_before", "n2": "layernorm_after", "norm.": "layernorm.",
        "patch.": "embeddings.patch_embeddings.projection.",
        "token": "embeddings.cls_token", "places": "embeddings.position_embeddings",
    }  # fmt: skip
    carry(first, second, names)
    return first, second


class LlamaBlock(nn.Module):
    """A block with turned queries, and with fewer keys than queries."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.n1, self.n2 = Rms(WIDTH), Rms(WIDTH, fault=fault if fault == "centred" else "")
        self.q, self.o = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.k, self.v = nn.Linear(WIDTH, 8, bias=False), nn.Linear(WIDTH, 8, bias=False)
        self.gate, self.up = nn.Linear(WIDTH, 24, bias=False), nn.Linear(WIDTH, 24, bias=False)
        self.down = nn.Linear(24, WIDTH, bias=False)
        self.fault = fault

    def turn(self, x: Tensor) -> Tensor:
        angles = torch.arange(x.size(2))[:, None] * 10000.0 ** (-torch.arange(0, 4, 2) / 4)
        cos, sin = angles.cos().to(x), angles.sin().to(x)
        a, b = (x[..., ::2], x[..., 1::2]) if self.fault == "rope" else x.chunk(2, -1)
        turned = a * cos - b * sin, b * cos + a * sin
        return torch.stack(turned, -1).flatten(-2) if self.fault == "rope" else torch.cat(turned, -1)

    def forward(self, x: Tensor) -> Tensor:
        y = self.n1(x)
        q, k, v = (z.unflatten(-1, (-1, 4)).transpose(1, 2) for z in (self.q(y), self.k(y), self.v(y)))
        q, k = self.turn(q), self.turn(k)
        if self.fault == "repeat":
            k, v = k.repeat(1, 2, 1, 1), v.repeat(1, 2, 1, 1)
        else:
            k, v = k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)
        hidden = torch.full((x.size(1),) * 2, float("-inf")).triu(1).to(x)
        mixed = ((q @ k.mT) / 2.0 + hidden).softmax(-1) @ v
        x = x + self.o(mixed.transpose(1, 2).flatten(2))
        y = self.n2(x)
        act = F.gelu if self.fault == "gate" else F.silu
        return x + self.down(act(self.gate(y)) * self.up(y))


def llama(fault: str = "") -> Pair:
    """Llama of transformers, with fewer keys than queries; and a plain one."""
    from transformers import LlamaConfig, LlamaModel

    torch.manual_seed(3)
    sizes = {"vocab_size": WORDS, "hidden_size": WIDTH, "intermediate_size": 24, "max_position_embeddings": 16}
    config = LlamaConfig(num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, **sizes)
    first = shaken(LlamaModel(config))
    blocks = nn.Sequential(LlamaBlock(), LlamaBlock(fault))
    second = nn.Sequential(OrderedDict(words=nn.Embedding(WORDS, WIDTH), blocks=blocks, norm=Rms(WIDTH)))
    names = {
        "words": "embed_tokens", "blocks": "layers",
        ".q.": ".self_attn.q_proj.", ".k.": ".self_attn.k_proj.", ".v.": ".self_attn.v_proj.",
        ".o.": ".self_attn.o_proj.", "gate": "mlp.gate_proj", ".up": ".mlp.up_proj", "down": "mlp.down_proj",
        "n1": "input_layernorm", "n2": "post_attention_layernorm",
    }  # fmt: skip
    carry(first, second, names)
    return first, second


class T5Block(nn.Module):
    """A block whose attention has a bias of relative places, and no scale."""

    def __init__(self, fault: str = "") -> None:
        super().__init__()
        self.n1, self.n2 = Rms(WIDTH), Rms(WIDTH)
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))
        self.wi, self.wo = nn.Linear(WIDTH, 32, bias=False), nn.Linear(32, WIDTH, bias=False)
        self.fault = fault

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        y = self.n1(x)
        q, k, v = (z.unflatten(-1, (2, 8)).transpose(1, 2) for z in (self.q(y), self.k(y), self.v(y)))
        scores = q @ k.mT
        if self.fault == "scale":
            scores = scores / math.sqrt(8)
        scores = scores if self.fault == "bias" else scores + bias
        x = x + self.o((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        return x + self.wo(self.wi(self.n2(x)).relu())


def t5(fault: str = "") -> Pair:
    """The encoder of T5, with its relative places; and a plain one."""
    from transformers import T5Config, T5EncoderModel

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(8, 2)
            self.blocks, self.norm = nn.ModuleList([T5Block(), T5Block(fault)]), Rms(WIDTH)

        def forward(self, ids: Tensor) -> Tensor:
            size = ids.size(1)
            away = torch.arange(size)[None] - torch.arange(size)[:, None]
            far = away.abs()
            logs = 2 + (far.clamp(min=1).float() / 2).log() / math.log(8) * 2
            bucket = torch.where(far < 2, far, logs.long().clamp(max=3)) + 4 * (away > 0)
            bias = self.places(bucket).permute(2, 0, 1)[None]
            x = self.words(ids)
            for block in self.blocks:
                x = block(x, bias)
            return self.norm(x)

    torch.manual_seed(4)
    sizes = {"vocab_size": WORDS, "d_model": WIDTH, "d_kv": 8, "d_ff": 32, "dropout_rate": 0.0}
    places = {"relative_attention_num_buckets": 8, "relative_attention_max_distance": 16}
    first = shaken(T5EncoderModel(T5Config(num_layers=2, num_heads=2, **sizes, **places)))
    for name, each in first.named_parameters():
        if "relative" in name:
            nn.init.normal_(each)
    names = {
        "norm.": "encoder.final_layer_norm.", "blocks": "encoder.block", "words": "shared",
        "places": "encoder.block.0.layer.0.SelfAttention.relative_attention_bias",
        ".n1": ".layer.0.layer_norm", ".n2": ".layer.1.layer_norm",
        ".wi": ".layer.1.DenseReluDense.wi", ".wo": ".layer.1.DenseReluDense.wo",
        **{f".{letter}.": f".layer.0.SelfAttention.{letter}." for letter in "qkvo"},
    }  # fmt: skip
    second = Plain()
    carry(first, second, names)
    return first, second
