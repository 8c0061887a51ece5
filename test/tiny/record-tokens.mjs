// Records how llama.cpp tokenises random texts, as vectors for the test of our tokenizer. By hand, when the vocabulary of
// the tiny model changes:
//
//   npm run build && node test/tiny/record-tokens.mjs <folder with node-llama-cpp> && npm run format
//
// Left out are texts in which two fixed texts of the same length overlap: llama.cpp takes one of them first, and which
// one depends on the C++ library it was built with.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: record-tokens.mjs <folder with node-llama-cpp>');
const entry = createRequire(join(resolve(folder), 'index.js')).resolve('node-llama-cpp');
const { getLlama } = await import(pathToFileURL(entry).href);

// The fixtures are TypeScript that needs no more than its types taken out.
const { createServer } = await import('vite');
const server = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true },
});
const fixture = await server.ssrLoadModule('/packages/tiny/src/gguf.fixture.ts');
const { readGguf } = await server.ssrLoadModule('/packages/tiny/src/gguf.ts');
const { readVocabulary, Tokenizer } = await server.ssrLoadModule('/packages/tiny/src/tokenizer.ts');
const { randomTexts, vocabularyHash } = await server.ssrLoadModule('/packages/tiny/src/tokens.fixture.ts');

const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });
const temporary = mkdtempSync(join(tmpdir(), 'tokens-'));

async function record(bytes, count) {
  const path = join(temporary, 'model.gguf');
  writeFileSync(path, bytes);
  const model = await llama.loadModel({ modelPath: path });
  const vocabulary = readVocabulary(readGguf(bytes));
  const [first, last] = ['first', 'last'].map((ties) => new Tokenizer(vocabulary, ties));
  const vectors = [];
  let left = 0;
  for (const text of randomTexts(vocabulary, count)) {
    const isTied = first.encode(text, 'ours').join() !== last.encode(text, 'ours').join();
    if (isTied) left++;
    else vectors.push([text, [...model.tokenize(text, true)], [...model.tokenize(text, false)]]);
  }
  await model.dispose();
  return { vocabulary: await vocabularyHash(vocabulary), leftOut: left, vectors };
}

const out = {
  small: await record(fixture.randomModel(), 200),
  tiny: await record(readFileSync(join(root, 'packages/tiny/model/tiny.gguf')), 200),
};
rmSync(temporary, { recursive: true });
const lines = ([name, { vectors, ...others }]) =>
  `${JSON.stringify(name)}: { ${JSON.stringify(others).slice(1, -1)}, "vectors": [\n${vectors.map((one) => JSON.stringify(one)).join(',\n')}\n] }`;
writeFileSync(
  join(root, 'packages/tiny/src/tokens.fixture.json'),
  `{\n${Object.entries(out).map(lines).join(',\n')}\n}\n`,
);
process.exit(0);
