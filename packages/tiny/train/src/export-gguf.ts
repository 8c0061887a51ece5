// Writes the weights as a GGUF file: node export-gguf.js <model.safetensors> <out.gguf> [q8_0|f16]

import { readFileSync, writeFileSync } from 'node:fs';
import { ggufOf } from './gguf-of.js';
import { readSafetensors } from './safetensors.js';
import { Tokenizer, type Vocabulary } from './tokenizer.js';

const [from = 'model.safetensors', to = 'tiny.gguf', kind = 'q8_0'] = process.argv.slice(2);
if (kind !== 'q8_0' && kind !== 'f16') throw new Error(`expected q8_0 or f16, found ${kind}`);
const vocabulary = readFileSync(new URL('../vocabulary.json', import.meta.url), 'utf8');
const tokenizer = new Tokenizer(JSON.parse(vocabulary) as Vocabulary);
const file = ggufOf(readSafetensors(readFileSync(from)), tokenizer, kind);
writeFileSync(to, file);
console.log(`${to}: ${file.length} bytes, ${tokenizer.size} tokens`);
