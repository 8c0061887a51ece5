// Writes the weights of a GGUF file as the training has them: node export-safetensors.js <tiny.gguf> <out.safetensors>

import { readFileSync, writeFileSync } from 'node:fs';
import { writeSafetensors } from './safetensors.js';
import { tensorsOf } from './tensors-of.js';

const [from = 'tiny.gguf', to = 'model.safetensors'] = process.argv.slice(2);
const tensors = tensorsOf(readFileSync(from));
const file = writeSafetensors(tensors);
writeFileSync(to, file);
console.log(`${to}: ${file.length} bytes, ${tensors.size} tensors`);
