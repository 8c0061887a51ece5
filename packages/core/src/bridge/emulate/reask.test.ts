import { describe, expect, it } from 'vitest';
import { dialects, isFullyTried, representatives } from '../../dialects/every.fixture.js';
import type { Dialect } from '../../engine/dialect.js';
import { parse } from '../../engine/parse.js';
import {
  acceptConversation,
  acceptTools,
  type Message,
  type ModelRequest,
  type Tool,
} from '../../model/index.js';
import { createRandom, ingredients, markerMix } from '../../testing/index.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';
import type { AttemptProblem } from './problem.js';
import { type ReaskTurns, reaskTurns } from './reask.js';
import { spellRequest } from './spell-request.js';

/** DRAGOMAN_EFFORT multiplies the mixes: 1 is the full measure. */
const EFFORT = Number(process.env.DRAGOMAN_EFFORT ?? 0.2);

/** The markers that act in a text, in order; in a dialect that quotes text in its own way, the calls read. */
function frames(dialect: Dialect, content: string): string[] {
  if (dialect.render.text) return parse(dialect, content).calls.map(({ id, name }) => `${id} ${name}`);
  const found: string[] = [];
  for (let at = 0; at < content.length; at++) {
    if (!dialect.markers.firsts.includes(content.charAt(at))) continue;
    const length = dialect.markers.match(content, at, true);
    if (length > 0) found.push(content.slice(at, at + length));
  }
  return found;
}

const user: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi.' }] };

function toolsWith(text: string, key = 'k') {
  return acceptTools([
    {
      name: 'f',
      description: text,
      parameters: {
        type: 'object',
        properties: { [key]: { type: 'string', enum: [text], description: text } },
        required: [key],
      },
    },
  ]);
}

/** All that a model that is asked again after this is sent. */
function sent(
  dialect: Dialect,
  tools: readonly Tool[],
  turns: ReaskTurns,
  takes: 'messages' | 'prompt',
): string[] {
  const request: ModelRequest = {
    model: 'm',
    conversation: { messages: [user], tools, toolChoice: 'auto' },
    settings: {},
    stream: false,
  };
  const upstream = scriptedUpstream([], { takes });
  const { request: spelled } = spellRequest(request, dialect, upstream, {}, [turns]);
  if (spelled.prompt !== undefined) return [spelled.prompt];
  return spelled.conversation.messages.map(({ parts }) =>
    parts.map((part) => ('text' in part ? part.text : '')).join(''),
  );
}

const kinds: AttemptProblem['kind'][] = [
  'unreadable',
  'unknown-tool',
  'bad-arguments',
  'other-tool',
  'echo',
  'forged',
  'no-call',
];

/** What a model could have written, and what is said of it, with this text in every place it can fill. */
function failed(text: string, name: string, readable: boolean, key = 'k') {
  const call = { type: 'tool-call' as const, id: 'c1', name, input: { [key]: text } };
  const problems = kinds.map(
    (kind): AttemptProblem => ({
      kind,
      issues: [{ code: 'unreadable-call', range: [0, 0], message: `found ${text} where a key is due` }],
      ...((readable || kind === 'unknown-tool') && { callId: 'c1' }),
    }),
  );
  return { text, calls: [call], problems };
}

describe.each(representatives)('a model that is asked again in $name', (dialect) => {
  const forms = dialect.render.prompt ? (['messages', 'prompt'] as const) : (['messages'] as const);
  const spell = (text: string, name: string, readable: boolean, takes: 'messages' | 'prompt', key = 'k') => {
    const tools = toolsWith(text, key);
    const context = { dialect, tools, toolChoice: 'auto' as const };
    return sent(dialect, tools, reaskTurns(failed(text, name, readable, key), context), takes);
  };
  const framesIn = (contents: string[]) => contents.flatMap((content) => frames(dialect, content));

  it.each([true, false])('cannot be made to forge a frame, its calls readable: %s', (readable) => {
    const random = createRandom(7);
    const pieces = ingredients(dialect, []);
    const texts = [...dialect.markers.literals.slice(0, 12)];
    const mixes = Math.ceil((isFullyTried(dialect) ? 50 : 20) * EFFORT);
    for (let n = 0; n < mixes; n++) texts.push(markerMix(random, pieces, 1 + random.int(8)).toWellFormed());
    for (const [turn, takes] of forms.entries()) {
      const harmless = framesIn(spell('x', 'g', readable, takes));
      // A turn of white space alone may be left out.
      for (const [at, text] of texts.filter((one) => one.trim() !== '').entries()) {
        const hostile = framesIn(spell(text, 'g', readable, takes));
        if (hostile.join('\n') !== harmless.join('\n'))
          expect(hostile, JSON.stringify(text)).toEqual(harmless);
        // In a key it is tried in one form of the two, in turn.
        if (at % forms.length !== turn) continue;
        // A key that cannot be spelled is left out or spelled otherwise: fewer frames, never more.
        const keyed = framesIn(spell(text, 'g', readable, takes, `k${text}`));
        const count = (list: string[], frame: string) => list.filter((one) => one === frame).length;
        const more = [...new Set(keyed)].filter((frame) => count(keyed, frame) > count(harmless, frame));
        expect(more, JSON.stringify(text)).toEqual([]);
      }
    }
  });

  it('cannot be made to forge one by the name of a tool that it made up', () => {
    for (const takes of forms) {
      const framesOf = (name: string) =>
        spell('x', name, true, takes).map((content) => frames(dialect, content));
      // What APIs take for a name is written as a call, and anything else is only told.
      const harmless = { told: framesOf('a name'), called: framesOf('g') };
      const names = [...dialect.markers.literals.slice(0, 12), '', 'a"b', 'x\ny', '`'];
      for (const name of names) {
        const like = /^[\w.:-]+$/.test(name) ? harmless.called : harmless.told;
        expect(framesOf(name), JSON.stringify(name)).toEqual(like);
      }
    }
  });

  it('is shown the name of a made-up tool, but not at any length', () => {
    const turns = spell('x', 'n'.repeat(100_000), true, 'messages');
    expect(turns.join('').length).toBeLessThan(20_000);
    expect(turns.join('')).toContain('nnnn');
  });

  it('is told so much and no more, however much it did wrong', () => {
    const many: AttemptProblem[] = Array.from({ length: 5000 }, (_, n) => ({
      kind: 'unreadable',
      issues: [{ code: 'unreadable-call', range: [n, n], message: `number ${n}: ${'y'.repeat(50_000)}` }],
    }));
    const context = { dialect, tools: toolsWith('x'), toolChoice: 'auto' as const };
    const turns = reaskTurns({ text: 'z', calls: [], problems: many }, context);
    expect(sent(dialect, toolsWith('x'), turns, 'messages').join('').length).toBeLessThan(30_000);
    expect(turns.reasons.join('').length).toBeLessThan(10_000);
  });

  it('is still told which marker to use, where the dialect itself says so', () => {
    for (const { message } of dialect.grammar.notice ?? []) {
      const problem: AttemptProblem = {
        kind: 'unreadable',
        issues: [{ code: 'foreign-format', range: [0, 0], message }],
      };
      const context = { dialect, tools: toolsWith('x'), toolChoice: 'auto' as const };
      const turns = reaskTurns({ text: 'z', calls: [], problems: [problem] }, context);
      expect(sent(dialect, toolsWith('x'), turns, 'messages').at(-1)).toContain(message);
    }
  });
});

describe('turns for asking again', () => {
  it('are a conversation that can be sent', () => {
    for (const dialect of dialects) {
      for (const name of ['', 'a b', 'f', '__proto__']) {
        const context = { dialect, tools: toolsWith('x'), toolChoice: 'auto' as const };
        const { messages } = reaskTurns(failed('x', name, true), context);
        expect(() => acceptConversation({ messages: [user, ...messages] })).not.toThrow();
      }
    }
  });
});
