// The Rosetta stone: packages/core/corpus/conversations, each conversation spelled in every dialect.
//
// The committed files are what the renderers write now (`npm run corpus` writes them anew), and what a model
// would write is read back as what was meant: calls by name, input and digits, by id where the wire has ids;
// reasoning and text to the letter. Nothing is trimmed for the comparison: the conversations hold no text that
// begins or ends with white space, so the separators a dialect adds must all be gone.

import { existsSync, readFileSync } from 'node:fs';
import * as core from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { hasMarker } from '../packages/core/src/engine/markers.js';
import { cutEvery, readPieces } from './corpus/reading.js';
import {
  conversationNames,
  conversationsFolder,
  leftOver,
  readConversation,
  spell,
  spellAll,
  spellTurns,
  type Turn,
} from './corpus/spell.mjs';

const { dialects, renderPrompt } = core;
const names = conversationNames();

/** What a dialect cannot help saying about a well-formed conversation. None yet. */
const allowedIssues: readonly string[] = [];

/**
 * Templates that spell the turns of before in another way than the model: harmony has the recipient in the role, gemma4
 * arguments in order of their keys, kimi-k3 an empty response where there is none, muse another end. They read alike.
 */
const saidOtherwise: readonly string[] = ['harmony', 'gemma4', 'kimi-k3', 'muse'];

describe('the corpus', () => {
  it('has fourteen conversations and more', () => {
    expect(names.length).toBeGreaterThanOrEqual(14);
  });

  it('holds no file of a dialect that is not in the list', () => {
    expect(leftOver(spellAll(core))).toEqual([]);
  });

  it.each(dialects.map((dialect) => dialect.name))('has %s in every conversation', (dialect) => {
    const missing = names.filter((name) => !existsSync(`${conversationsFolder}${name}/${dialect}.txt`));
    expect(missing, 'run `npm run corpus`').toEqual([]);
  });
});

describe.each(names)('%s', (name) => {
  const conversation = readConversation(core, name);
  const { tools } = conversation;

  const read = new Map<Turn, core.ParsedAnswer>();
  /** Read once for all tests: a turn is of one dialect. */
  const readWhole = (dialect: core.Dialect, turn: Turn): core.ParsedAnswer => {
    const answer = read.get(turn) ?? readPieces(dialect, [turn.text], { tools, thinking: turn.thinking });
    read.set(turn, answer);
    return answer;
  };

  it.each(dialects)('is committed as $name writes it now', (dialect) => {
    for (const [file, text] of Object.entries(spell(core, dialect, conversation))) {
      const path = `${conversationsFolder}${name}/${file}`;
      expect(existsSync(path) ? readFileSync(path, 'utf8') : 'no such file', file).toBe(text);
    }
  });

  for (const dialect of dialects)
    it(`is read back in ${dialect.name}, whole and character by character`, () => {
      for (const turn of spellTurns(core, dialect, conversation)) {
        const singles = readPieces(dialect, cutEvery(turn.text, 1), { tools, thinking: turn.thinking });
        const meant = meaning(turn, dialect);
        expect(summary(readWhole(dialect, turn), dialect)).toEqual(meant);
        expect(summary(singles, dialect)).toEqual(meant);
      }
    });

  it.each(dialects)('leaves no marker of $name in the text', (dialect) => {
    for (const turn of spellTurns(core, dialect, conversation)) {
      if (hasMarker(textOf(turn), dialect.markers)) continue;
      expect(hasMarker(readWhole(dialect, turn).text, dialect.markers)).toBe(false);
    }
  });

  it.each(dialects.filter((dialect) => dialect.render.prompt))(
    'has turns that continue the prompt of $name, reasoning and all',
    (dialect) => {
      const turns = spellTurns(core, dialect, conversation).filter((turn) => reasoningOf(turn) !== '');
      for (const turn of turns) {
        const at = conversation.messages.indexOf(turn.message);
        const until = (end: number) => ({ ...conversation, messages: conversation.messages.slice(0, end) });
        const before = renderPrompt(dialect, until(at), { thinking: true }).text;
        const behind = renderPrompt(dialect, until(at + 1), { thinking: true, generate: false }).text;
        // Qwen3-Coder's prompt has no reasoning to compare.
        if (!behind.includes(reasoningOf(turn))) continue;
        // Once there is an answer, gpt-oss forgets the thoughts of before: then the prompt is another.
        if (dialect.name === 'harmony' && !behind.startsWith(before)) continue;
        expect(behind.slice(0, before.length)).toBe(before);
        const said = behind.slice(before.length);
        if (saidOtherwise.includes(dialect.name))
          expectSameTurn(dialect, said, turn, opensThought(dialect, before));
        else expect(said.slice(0, turn.text.length)).toBe(turn.text);
      }
    },
  );
});

/** Whether a prompt ends inside reasoning: that of Gemma 4 does so only behind results. */
function opensThought({ traits: { reasoning } }: core.Dialect, prompt: string): boolean {
  return reasoning !== undefined && prompt.trimEnd().endsWith(reasoning.open);
}

/** The turn as an endpoint gives it: up to the token that ends it, behind which the prompt may have a line break. */
function withoutEnd({ render: { stop } }: core.Dialect, said: string): string {
  const end = stop.find((token) => said.trimEnd().endsWith(token));
  return end === undefined ? said : said.trimEnd().slice(0, -end.length);
}

function expectSameTurn(dialect: core.Dialect, said: string, turn: Turn, inside: boolean): void {
  const read = (text: string, thinking: boolean) => readPieces(dialect, [text], { tools: [], thinking });
  const found = read(withoutEnd(dialect, said), inside || turn.thinking);
  const wanted = read(turn.text, turn.thinking);
  expect(found.reasoning).toBe(wanted.reasoning);
  expect(found.text).toBe(wanted.text);
  const callsOf = (answer = found) => answer.calls.map(({ name, input }) => ({ name, input }));
  expect(callsOf()).toEqual(callsOf(wanted));
}

function summary(answer: core.ParsedAnswer, dialect: core.Dialect) {
  return {
    reasoning: answer.reasoning,
    text: answer.text,
    calls: answer.calls.map((call) => callSummary(call, dialect)),
    issues: answer.issues.map(({ code }) => code).filter((code) => !allowedIssues.includes(code)),
    repairs: answer.repairs.map(({ code }) => code),
  };
}

function meaning(turn: Turn, dialect: core.Dialect): ReturnType<typeof summary> {
  const calls = turn.message.parts.filter((part) => part.type === 'tool-call');
  return {
    reasoning: dialect.traits.reasoning ? reasoningOf(turn) : '',
    text: textOf(turn),
    calls: calls.map((call) => callSummary({ raw: JSON.stringify(call.input), ...call }, dialect)),
    issues: [],
    repairs: [],
  };
}

/** The input with the author's digits and key order. The id only where the wire has one. */
function callSummary({ id, name, input, raw }: core.ParsedCall, { traits }: core.Dialect) {
  const exact = core.stringifyJson(core.parseExact(raw), 'compact');
  return { ...(traits.ids ? { id } : {}), name, input, exact };
}

function reasoningOf({ message }: Turn): string {
  return message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
}

function textOf({ message }: Turn): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
