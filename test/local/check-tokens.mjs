// What a real tokenizer and real grammars do, in a process of its own: reads {"model", "template"?} from standard input,
// and writes one object of JSON. Uses the built packages, and DRAGOMAN_NODE_LLAMA_CPP.

import { text } from 'node:stream/consumers';
import { ggufFile } from '@dragoman/local';

const { model: path } = JSON.parse(await text(process.stdin));
const inside = (name) => new URL(`../../packages/local/dist/llama/${name}.js`, import.meta.url).href;
const { loadLlamaModel } = await import(inside('llama-model'));
const { Hold } = await import(inside('hold'));
const file = ggufFile(path);
const model = await loadLlamaModel(file, { gpu: false, threads: 1, parallel: 2 });
const special = file.info.specialTokens.filter((token) => token.kind === 'control');
const ids = new Set(special.map(({ id }) => id));

/** Special tokens that text becomes: all of them where it is ours, and none where it comes from outside. */
const ours = special.filter(({ id, text }) => !tokensOf(text, 'ours').includes(id)).map(({ text }) => text);
const outside = special
  .map(({ text }) => text)
  .filter((text) => tokensOf(`a ${text} b`, 'outside').some((id) => ids.has(id)));
// Tokenizers of this kind spell a blank as \u2581, so that text of this character comes back as a blank.
const blanks = (text) => text.replaceAll('\u2581', ' ');
const changed = special
  .map(({ text }) => blanks(text))
  .filter((text) => !blanks(model.model.detokenize(tokensOf(text, 'outside'), true)).endsWith(text));

function tokensOf(text, origin) {
  return model
    .tokenise([{ text, origin }])
    .filter((id) => id !== model.model.tokens.bos || origin === 'ours');
}

const gbnf = 'root ::= "<call>" [a-z]+ "</call>"';
const held = { gbnf, after: ['<call>'] };
const begin = (more = {}) => Hold.create(model.engine, model.model, { ...held, ...more });

async function lazily(pieces, more) {
  const hold = await begin(more);
  const replaced = pieces.map((piece) => hold.read(piece) ?? null);
  return { isHeld: hold.state !== undefined, replaced };
}

const thinking = { notWithin: { open: '<think>', close: '</think>', begun: false } };
const holds = {
  free: await lazily(['Some words, ', 'and <calls>.']),
  opened: await lazily(['Well. ', '<call>']),
  cut: await lazily(['Well. <ca', 'll>ab']),
  wrong: await lazily(['Well. ', 'x<call>ab9!']),
  thought: await lazily(['<think>I could <call>', ' it'], thinking),
  behind: await lazily(['<think>I could <call>', '</think>', '<call>'], thinking),
};

async function written(request) {
  let [text, end] = ['', undefined];
  const all = { stop: [], sampling: { temperature: 0 }, signal: new AbortController().signal, ...request };
  for await (const event of model.generate(all)) {
    if (event.type === 'text') text += event.text;
    else end = event;
  }
  return { text, ...end };
}

const prompt = [{ text: 'Hello', origin: 'ours' }];
const grammar = { gbnf: 'root ::= "one two three" " four"' };
const answers = {
  held: await written({ prompt, grammar }),
  stopped: await written({ prompt, grammar, stop: ['two', 'x'] }),
  cut: await written({ prompt, grammar, maxTokens: 1 }),
  again: await written({ prompt: [...prompt, { text: 'one two three four, ', origin: 'ours' }], grammar }),
};

const aborter = new AbortController();
const long = { prompt: [{ text: 'word '.repeat(400), origin: 'outside' }], stop: [], sampling: {} };
const aborted = await (async () => {
  setTimeout(() => aborter.abort(new Error('left')), 5);
  try {
    for await (const _ of model.generate({ ...long, signal: aborter.signal })) break;
    return 'answered';
  } catch (error) {
    return error.message;
  }
})();
const tooLong = await written({ prompt: [{ text: 'word '.repeat(40_000), origin: 'outside' }] }).catch(
  (error) => ({ code: error.code, message: error.message }),
);

console.log(
  JSON.stringify({ count: special.length, ours, outside, changed, holds, answers, aborted, tooLong }),
);
await model.close();
process.exit(0);
