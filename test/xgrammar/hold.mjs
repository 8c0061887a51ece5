// xgrammar at work: reads {"letters", "jobs"} from standard input and writes a line of JSON for each job.
//
//   {"name", "tag", "texts": […]}   {"name", "accepted": [true, …]}          whether each text is one of the tag's
//   {"name", "tag", "seed"}         {"name", "text", "ended"}                letters at random, of those it allows
//
// or both at once, because to compile a tag is what costs;
// and {"name", "error"} where the tag is refused.
//
//   node hold.mjs <folder of @mlc-ai/web-xgrammar>

import { readFileSync } from 'node:fs';
import { Module } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const MAX_LETTERS = 3_000;

const file = join(process.argv[2], 'lib/index.js');
// It says that it is an ES module, and is none.
const library = new Module(file);
library._compile(readFileSync(file, 'utf8'), file);
const { GrammarCompiler, GrammarMatcher, TokenizerInfo } = library.exports;

const { letters, jobs } = JSON.parse(await text(process.stdin));
const END = letters.length;
const writing = await compilerFor(letters);
/** To accept a text no letters are needed: it is read byte by byte. */
const reading = await compilerFor([]);

for (const { name, ...job } of jobs) {
  let answer;
  try {
    answer = await (job.seed === undefined ? accept(job) : write(job));
  } catch (error) {
    answer = { error: String(error?.message ?? `xgrammar refuses it (${error})`) };
  }
  process.stdout.write(`${JSON.stringify({ name, ...answer })}\n`);
}
process.exit(0);

async function compilerFor(tokens) {
  const end = tokens.length;
  const info = await TokenizerInfo.createTokenizerInfo([...tokens, '</s>'], 'raw', false, end + 1, [end]);
  return GrammarCompiler.createGrammarCompiler(info, false);
}

async function accept({ tag, texts }) {
  const compiled = await reading.compileStructuralTag(JSON.stringify(tag));
  const accepted = await acceptedOf(compiled, texts, 0);
  compiled.dispose();
  return { accepted };
}

async function acceptedOf(compiled, texts, end) {
  const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
  const accepted = texts.map((one) => {
    matcher.reset();
    return matcher._acceptString(one) && matcher.acceptToken(end);
  });
  matcher.dispose();
  return accepted;
}

async function write({ tag, seed, texts }) {
  const compiled = await writing.compileStructuralTag(JSON.stringify(tag));
  const answer = await walk(await GrammarMatcher.createGrammarMatcher(compiled), seed);
  if (texts) answer.accepted = await acceptedOf(compiled, texts, END);
  compiled.dispose();
  return answer;
}

/** Ends where it may, every other time. */
async function walk(matcher, seed) {
  const random = randomOf(seed);
  let written = '';
  let ended = false;
  for (let count = 0; count < MAX_LETTERS && !ended; count++) {
    const mask = await matcher.getNextTokenBitmask();
    const allowed = letters.flatMap((_, at) => ((mask[at >> 5] >>> (at & 31)) & 1 ? [at] : []));
    const mayEnd = (mask[END >> 5] >>> (END & 31)) & 1;
    if (allowed.length === 0 || (mayEnd && random() < 0.5)) ended = Boolean(mayEnd);
    if (ended || allowed.length === 0) break;
    const letter = allowed[Math.floor(random() * allowed.length)];
    if (!matcher.acceptToken(letter)) throw new Error(`what it allowed was refused: ${letters[letter]}`);
    written += letters[letter];
  }
  matcher.dispose();
  return { text: written, ended };
}

function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
