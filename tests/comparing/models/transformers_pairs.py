"""Models of transformers from their configurations, and plain ones: right, or with a planted fault."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.comparing.models.stranger_parts import Pair, PostBlock, PreBlock, Rms, carry, shaken


def bert(fault: str = "") -> Pair:
    """BERT of transformers, and a plain one."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    first = shaken(
        BertModel(
            BertConfig(
                vocab_size=31,
                hidden_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=32,
                max_position_embeddings=12,
            ),
            add_pooling_layer=False,
        )
    )

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words, self.places, self.types = nn.Embedding(31, 16), nn.Embedding(12, 16), nn.Embedding(2, 16)
            self.norm = nn.LayerNorm(16, eps=1e-12)
            self.blocks = nn.ModuleList([PostBlock(16, 2), PostBlock(16, 2, fault)])

        def forward(self, ids: Tensor) -> Tensor:
            x = self.words(ids) + self.places(torch.arange(ids.size(1)))
            x = self.norm(x if fault == "types" else x + self.types(torch.zeros_like(ids)))
            for block in self.blocks:
                x = block(x)
            return x

    second = Plain()
    carry(
        first,
        second,
        {
            "words.": "embeddings.word_embeddings.",
            "places.": "embeddings.position_embeddings.",
            "types.": "embeddings.token_type_embeddings.",
            "blocks.": "encoder.layer.",
            "attn.q": "attention.self.query",
            "attn.k": "attention.self.key",
            "attn.v": "attention.self.value",
            "attn.o": "attention.output.dense",
            "n1": "attention.output.LayerNorm",
            "up.": "intermediate.dense.",
            "down": "output.dense",
            "n2": "output.LayerNorm",
        }
        | {"norm.weight": "embeddings.LayerNorm.weight", "norm.bias": "embeddings.LayerNorm.bias"},
    )
    return first, second


def vit(fault: str = "") -> Pair:
    """A vision transformer of transformers; and a plain one, whose patches are cut by reshaping."""
    from transformers import ViTConfig, ViTModel

    torch.manual_seed(2)
    first = shaken(
        ViTModel(
            ViTConfig(
                hidden_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=32,
                image_size=8,
                patch_size=4,
            ),
            add_pooling_layer=False,
        )
    )
    first.embeddings.position_embeddings.data.normal_()
    first.embeddings.cls_token.data.normal_()

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.patch = nn.Linear(48, 16)
            self.token, self.places = nn.Parameter(torch.zeros(1, 1, 16)), nn.Parameter(torch.zeros(1, 5, 16))
            self.blocks = nn.ModuleList([PreBlock(16, 2), PreBlock(16, 2, fault)])
            self.norm = nn.LayerNorm(16, eps=1e-12)

        def forward(self, image: Tensor) -> Tensor:
            cut = image.unflatten(2, (2, 4)).unflatten(4, (2, 4))
            order = (0, 4, 2, 1, 3, 5) if fault == "patches" else (0, 2, 4, 1, 3, 5)
            x = self.patch(cut.permute(order).flatten(3).flatten(1, 2))
            x = torch.cat([self.token.expand(len(x), -1, -1), x], 1)
            x = x + (self.places.flip(1) if fault == "places" else self.places)
            for block in self.blocks:
                x = block(x)
            return self.norm(x)

    second, given = Plain(), first.state_dict()
    prefix = next(name for name in given if "q_proj.weight" in name or "query.weight" in name)
    old = "query" in prefix
    stem = prefix.partition("0.")[0]
    names = (
        {
            "attn.q": "attention.attention.query",
            "attn.k": "attention.attention.key",
            "attn.v": "attention.attention.value",
            "attn.o": "attention.output.dense",
            "up.": "intermediate.dense.",
            "down": "output.dense",
        }
        if old
        else {
            "attn.q": "attention.q_proj",
            "attn.k": "attention.k_proj",
            "attn.v": "attention.v_proj",
            "attn.o": "attention.o_proj",
            "up.": "mlp.fc1.",
            "down": "mlp.fc2",
        }
    )
    carry(
        first,
        second,
        names
        | {
            "blocks.": stem,
            "n1": "layernorm_before",
            "n2": "layernorm_after",
            "norm.weight": "layernorm.weight",
            "norm.bias": "layernorm.bias",
            "patch.": "embeddings.patch_embeddings.projection.",
            "token": "embeddings.cls_token",
            "places": "embeddings.position_embeddings",
        },
    )
    return first, second


def llama(fault: str = "") -> Pair:
    """Llama of transformers, with fewer keys than queries; and a plain one."""
    from transformers import LlamaConfig, LlamaModel

    torch.manual_seed(3)
    first = shaken(
        LlamaModel(
            LlamaConfig(
                vocab_size=31,
                hidden_size=16,
                intermediate_size=24,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                max_position_embeddings=16,
            )
        )
    )

    class Block(nn.Module):
        def __init__(self, fault: str) -> None:
            super().__init__()
            self.n1, self.n2 = Rms(16), Rms(16, fault="centred" if fault == "centred" else "")
            self.q, self.o = nn.Linear(16, 16, bias=False), nn.Linear(16, 16, bias=False)
            self.k, self.v = nn.Linear(16, 8, bias=False), nn.Linear(16, 8, bias=False)
            self.gate, self.up = nn.Linear(16, 24, bias=False), nn.Linear(16, 24, bias=False)
            self.down = nn.Linear(24, 16, bias=False)
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

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(31, 16)
            self.blocks = nn.ModuleList([Block(""), Block(fault)])
            self.norm = Rms(16)

        def forward(self, ids: Tensor) -> Tensor:
            x = self.words(ids)
            for block in self.blocks:
                x = block(x)
            return self.norm(x)

    second = Plain()
    carry(
        first,
        second,
        {
            "words": "embed_tokens",
            "blocks": "layers",
            ".q.": ".self_attn.q_proj.",
            ".k.": ".self_attn.k_proj.",
            ".v.": ".self_attn.v_proj.",
            ".o.": ".self_attn.o_proj.",
            "gate": "mlp.gate_proj",
            ".up": ".mlp.up_proj",
            "down": "mlp.down_proj",
            "n1": "input_layernorm",
            "n2": "post_attention_layernorm",
        },
    )
    return first, second


def t5(fault: str = "") -> Pair:
    """The encoder of T5, with its relative places; and a plain one."""
    from transformers import T5Config, T5EncoderModel

    torch.manual_seed(4)
    first = shaken(
        T5EncoderModel(
            T5Config(
                vocab_size=31,
                d_model=16,
                d_kv=8,
                d_ff=32,
                num_layers=2,
                num_heads=2,
                relative_attention_num_buckets=8,
                relative_attention_max_distance=16,
                dropout_rate=0.0,
            )
        )
    )
    for name, each in first.named_parameters():
        if "relative" in name:
            nn.init.normal_(each)

    class Block(nn.Module):
        def __init__(self, fault: str) -> None:
            super().__init__()
            self.n1, self.n2 = Rms(16), Rms(16)
            self.q, self.k, self.v, self.o = (nn.Linear(16, 16, bias=False) for _ in range(4))
            self.wi, self.wo = nn.Linear(16, 32, bias=False), nn.Linear(32, 16, bias=False)
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

    class Plain(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words, self.places = nn.Embedding(31, 16), nn.Embedding(8, 2)
            self.blocks = nn.ModuleList([Block(""), Block(fault)])
            self.norm = Rms(16)

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

    second, given, state = Plain(), first.state_dict(), {}
    for name in second.state_dict():
        source = name.replace("blocks", "encoder.block")
        for mine, theirs in {
            ".n1": ".layer.0.layer_norm",
            ".n2": ".layer.1.layer_norm",
            ".wi": ".layer.1.DenseReluDense.wi",
            ".wo": ".layer.1.DenseReluDense.wo",
        }.items():
            source = source.replace(mine, theirs)
        for letter in "qkvo":
            source = source.replace(f".{letter}.", f".layer.0.SelfAttention.{letter}.")
        source = {
            "words.weight": "shared.weight",
            "norm.weight": "encoder.final_layer_norm.weight",
            "places.weight": "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
        }.get(source, source)
        state[name] = given[source].clone()
    second.load_state_dict(state)
    return first, second
