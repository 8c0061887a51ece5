// Which tool a question asks for: the one whose name, description and parameters share most words with it.

import type { Tool } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { suits, type Wish } from './wish.js';
import { isChinese, meaning, stem, wordsOf } from './words.js';

/** Long descriptions say at their start what a tool does, and then everything else. */
const MAX_DESCRIPTION = 300;
/** Among many tools one word in a description is chance. */
const MANY = 6;

/** What a tool is for counts for more than the words it shares. */
const WISHED = 10;

interface Known {
  tool: Tool;
  name: Set<string>;
  described: Set<string>;
  parameters: Set<string>;
}

/** The best tool, or nothing where none fits. With `any` always one. */
export function pickTool(
  tools: readonly Tool[],
  question: string,
  wish: Wish | undefined,
  any = false,
): Tool | undefined {
  const asked = meaning(question);
  const known = tools.map(knownOf);
  let best: Tool | undefined;
  let high = any ? -1 : tools.length > MANY ? 2 : 1.4;
  for (const one of known) {
    const suited = wish ? suits(one.tool.name, wish.kind) * WISHED : 0;
    const score = suited + scoreOf(one, asked, known) + shared(one.tool, question);
    if (score <= high) continue;
    best = one.tool;
    high = score;
  }
  return best;
}

function knownOf(tool: Tool): Known {
  const schema = isObject(tool.parameters) ? tool.parameters : {};
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return {
    tool,
    name: new Set([...meaning(tool.name), ...wordsOf(tool.name).map(stem)]),
    described: meaning(tool.description?.slice(0, MAX_DESCRIPTION) ?? ''),
    parameters: meaning(names.slice(0, 50).join(' ')),
  };
}

/** A word that many tools share tells less. */
function scoreOf(
  { name, described, parameters }: Known,
  asked: Iterable<string>,
  all: readonly Known[],
): number {
  let score = 0;
  for (const word of asked) {
    if (name.has(word)) score += 3 / Math.sqrt(all.filter((other) => other.name.has(word)).length);
    else if (described.has(word))
      score += 1.5 / Math.sqrt(all.filter((other) => other.described.has(word)).length);
    else if (parameters.has(word)) score += 0.8;
  }
  return score;
}

/** Pairs of Chinese characters that question and description share. */
function shared({ description = '' }: Tool, question: string): number {
  const text = description.slice(0, MAX_DESCRIPTION);
  let pairs = 0;
  for (let at = 0; at + 1 < question.length && at < 200; at++) {
    if (!isChinese(question.charCodeAt(at)) || !isChinese(question.charCodeAt(at + 1))) continue;
    if (text.includes(question.slice(at, at + 2))) pairs++;
  }
  return Math.min(pairs, 2);
}
