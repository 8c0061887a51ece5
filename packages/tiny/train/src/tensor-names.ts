// What the training and a GGUF file call the same tensor.

const BLOCK_NAMES: Readonly<Record<string, string>> = {
  n1: 'attn_norm',
  n2: 'ffn_norm',
  'q.weight': 'attn_q',
  'k.weight': 'attn_k',
  'v.weight': 'attn_v',
  'o.weight': 'attn_output',
  'g.weight': 'ffn_gate',
  'u.weight': 'ffn_up',
  'd.weight': 'ffn_down',
};

/** Pairs of a name of the training and its name in the file, in the order of the file. */
export function* tensorNames(layers: number): Generator<[own: string, inFile: string]> {
  yield ['emb.weight', 'token_embd.weight'];
  yield ['nf', 'output_norm.weight'];
  for (let layer = 0; layer < layers; layer++)
    for (const [own, name] of Object.entries(BLOCK_NAMES))
      yield [`blocks.${layer}.${own}`, `blk.${layer}.${name}.weight`];
}
