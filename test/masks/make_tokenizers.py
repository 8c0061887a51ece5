# Makes the two small tokenizers of these tests, with the library `tokenizers`:
#
#   byte-level.json   byte-level BPE with NFC, as Qwen, Llama 3, GLM, DeepSeek and gpt-oss have it
#   spaced.json       BPE with signs for spaces and byte fallback, as Gemma and Mistral have it
#
#   python make_tokenizers.py corpus.txt markers.json folder
import json
import sys

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

text, markers, folder = sys.argv[1:]
special = [AddedToken(marker, special=True, normalized=False) for marker in json.load(open(markers))]

byte_level = Tokenizer(models.BPE())
byte_level.normalizer = normalizers.NFC()
words = Regex(r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
byte_level.pre_tokenizer = pre_tokenizers.Sequence(
    [pre_tokenizers.Split(words, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
)
byte_level.decoder = decoders.ByteLevel()
letters = pre_tokenizers.ByteLevel.alphabet()
byte_level.train([text], trainers.BpeTrainer(vocab_size=700, initial_alphabet=letters, show_progress=False))
byte_level.add_special_tokens(special)
byte_level.save(f"{folder}/byte-level.json", pretty=False)

spaced = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
spaced.normalizer = normalizers.Replace(" ", "\u2581")
spaced.decoder = decoders.Sequence(
    [decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()]
)
fallback = ["<unk>"] + [f"<0x{byte:02X}>" for byte in range(256)]
spaced.train([text], trainers.BpeTrainer(vocab_size=900, special_tokens=fallback, show_progress=False))
state = json.loads(spaced.to_str())
# The bytes are pieces of the vocabulary, and no tokens that the text is searched for.
state["added_tokens"] = [token for token in state["added_tokens"] if not token["content"].startswith("<0x")]
spaced = Tokenizer.from_str(json.dumps(state))
spaced.add_special_tokens(special)
spaced.save(f"{folder}/spaced.json", pretty=False)
