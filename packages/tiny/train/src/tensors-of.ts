import { readGguf, toFloats } from '@dragoman/tiny';
import type { Tensors } from './safetensors.js';
import { tensorNames } from './tensor-names.js';

/** Reads the tensors of a GGUF file, under the names that the training has for them. */
export function tensorsOf(file: Uint8Array): Tensors {
  const { metadata, tensors } = readGguf(file);
  const found: Tensors = new Map();
  for (const [own, name] of tensorNames(Number(metadata.get('llama.block_count')))) {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`the tensor ${name} is missing`);
    found.set(own, { shape: [...tensor.shape].reverse(), data: toFloats(tensor) });
  }
  return found;
}
