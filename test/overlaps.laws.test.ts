// Output in one dialect is no call for another dialect's parser, except for the pairs of test/overlaps.ts, which give
// the reason.
//
// The first turn with calls of five conversations, in every dialect, is read by all others: with text before the calls
// and without, without arguments, with odd names, several at once. The conversation that writes a file full of other
// dialects' calls is left out: a parser that does not know where its string ends has to read them.

import * as core from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { dialects } from '../packages/core/src/dialects/every.fixture.js';
import { readConversation, spellTurns } from './corpus/spell.mjs';
import { overlaps } from './overlaps.js';

const CONVERSATIONS = ['one-call', 'no-arguments', 'parallel-calls', 'tool-names', 'text-around-calls'];

interface Sample {
  text: string;
  thinking: boolean;
  tools: readonly core.Tool[];
}

/** Gives the output of a model in the dialect. */
function samplesOf(dialect: core.Dialect): Sample[] {
  return CONVERSATIONS.flatMap((name) => {
    const conversation = readConversation(core, name);
    const turn = spellTurns(core, dialect, conversation).find(({ message }) =>
      message.parts.some(({ type }) => type === 'tool-call'),
    );
    return turn ? [{ text: turn.text, thinking: turn.thinking, tools: conversation.tools }] : [];
  });
}

/** Gives the other dialects whose parsers read a call in it. */
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
