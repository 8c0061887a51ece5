// What one dialect writes is no call in another's parser, but for the pairs of test/overlaps.ts, which say why.
//
// The first turn with calls of five conversations, in every dialect, is read by all others: with text before the calls
// and without, without arguments, with odd names, several at once. The conversation that writes a file full of other
// dialects' calls is left out: whoever does not know where a string ends reads them, and must.

import * as core from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { dialects } from '../packages/core/src/dialects/every.fixture.js';
import { readConversation, spellTurns } from './corpus/spell.mjs';
import { overlaps } from './overlaps.js';

const CONVERSATIONS = ['one-call', 'no-arguments', 'parallel-calls', 'tool-names', 'text-around-calls'];

interface Sample {
  text: string;
  thinking: boolean;
  tools: core.Tool[];
}

/** What a model writes that speaks the dialect. */
function samplesOf(dialect: core.Dialect): Sample[] {
  return CONVERSATIONS.flatMap((name) => {
    const conversation = readConversation(core, name);
    const turn = spellTurns(core, dialect, conversation).find(({ message }) =>
      message.parts.some(({ type }) => type === 'tool-call'),
    );
    return turn ? [{ text: turn.text, thinking: turn.thinking, tools: conversation.tools }] : [];
  });
}

/** Who reads a call in it that does not speak it. */
function readersOf(dialect: core.Dialect): string[] {
  const samples = samplesOf(dialect);
  const reads = (other: core.Dialect) =>
    samples.some(({ text, ...options }) => core.parse(other, text, options).calls.length > 0);
  return dialects.filter((other) => other !== dialect && reads(other)).map(({ name }) => name);
}

describe('what another dialect writes', () => {
  it.each(dialects)('is no call in any parser but those that are listed: $name', (dialect) => {
    expect(samplesOf(dialect)).toHaveLength(CONVERSATIONS.length);
    const listed = overlaps.filter((overlap) => overlap.dialect === dialect.name);
    expect(readersOf(dialect).sort()).toEqual(listed.flatMap(({ readBy }) => readBy).sort());
  });

  it('is listed under names that there are', () => {
    const names = new Set(dialects.map(({ name }) => name));
    const unknown = overlaps.flatMap(({ dialect, readBy }) => [dialect, ...readBy]);
    expect(unknown.filter((name) => !names.has(name))).toEqual([]);
  });
});
