// Healing delivers a call that a model means, and leaves one that the text only shows as text, with an issue.
//
// `quoted/examples.json` and `quoted/calls.json` hold texts in which ● is a call. `from` names the public document, by
// repository and path, of which a text rebuilds one passage line for line, in other words; `like` names a document, or a
// kind of them, that has passages of its kind. Each is read with the calls of several dialects, whole and cut. Calls that
// are meant and stay text all the same have `missed`, the reason: they are known, and the issue must name them.

import { readFileSync } from 'node:fs';
import {
  type AnswerEvent,
  findDialect,
  type ModelRequest,
  parse,
  type Report,
  type Tool,
} from '@dragoman/core';
import { heal } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { callsStandBehindText } from '../../packages/core/src/bridge/heal/call-layout.js';
import { Writer } from '../../packages/core/src/engine/writer.js';
import { cutEvery, cutRandomly } from '../corpus/reading.js';
import { openings, repeated } from './quoted-openings.js';

interface Shown {
  text: string;
  from?: string;
  like?: string;
  missed?: string;
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const examples: Shown[] = JSON.parse(read('quoted/examples.json'));
const calls: Shown[] = JSON.parse(read('quoted/calls.json'));
const missed = calls.filter((one) => one.missed);

const tool: Tool = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Dialects of each family whose templates put a call on a line of its own. */
const dialects = ['hermes', 'qwen3-coder', 'glm-4.5', 'alkaid', 'minimax-m2'].map((name) =>
  findDialect(name),
);

function spelled(name: string): string {
  const dialect = findDialect(name);
  const out = new Writer(dialect.markers);
  const call = { type: 'tool-call' as const, id: 'call_0', name: tool.name, input: { city: 'Rome' } };
  dialect.render.calls(out, [call], { tools: [tool], afterText: false });
  return out.text;
}

interface Healed {
  text: string;
  calls: string[];
  report: Report | undefined;
}

async function healed(pieces: readonly string[], dialect: string, input = ''): Promise<Healed> {
  const parts = [{ type: 'text' as const, text: input }];
  const request: ModelRequest = {
    model: 'some-model',
    conversation: { messages: [{ role: 'user', parts }], tools: [tool], toolChoice: 'auto' },
    settings: {},
    stream: true,
  };
  const upstream = {
    takes: 'messages' as const,
    tools: true,
    media: false,
    async *ask(): AsyncGenerator<AnswerEvent> {
      yield { type: 'answer-start' };
      for (const text of pieces) yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const found: Healed = { text: '', calls: [], report: undefined };
  const { signal } = new AbortController();
  for await (const event of heal(request, upstream, { watch: [dialect], signal })) {
    if (event.type === 'text-delta') found.text += event.text;
    else if (event.type === 'call-start') found.calls.push(event.name);
    else if (event.type === 'report') found.report = event.report;
  }
  return found;
}

const codes = ({ report }: Healed) => report?.issues.map(({ code }) => code) ?? [];

describe('the texts', () => {
  it.each([
    ['examples', examples, 110, 24],
    ['calls', calls, 150, 17],
  ])(
    'of %s are at least 120, and many rebuild passages of named public documents',
    (_, texts, drawn, repositories) => {
      expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
      expect(texts.length).toBeGreaterThanOrEqual(120);
      const documents = texts.flatMap(({ from }) => from ?? []);
      expect(documents.length).toBeGreaterThanOrEqual(drawn);
      expect(new Set(documents).size).toBeGreaterThanOrEqual(100);
      expect(documents.filter((from) => !/^[\w.-]+\/[\w.-]+: \S/.test(from))).toEqual([]);
      const named = documents.map((from) => from.slice(0, from.indexOf(':')));
      expect(new Set(named).size).toBeGreaterThanOrEqual(repositories);
      const ofOne = [...new Set(named)].map((one) => named.filter((name) => name === one).length);
      expect(Math.max(...ofOne)).toBeLessThanOrEqual(documents.length / 2);
      expect(documents.filter((from) => /dragoman/i.test(from))).toEqual([]);
      expect(texts.every(({ text }) => text.includes('●') && text.length < 600)).toBe(true);
    },
  );

  it('are as many as docs/security.md says', () => {
    const named = (texts: Shown[]) => texts.filter(({ from }) => from).length;
    expect(read('../../docs/security.md')).toContain(
      `${examples.length} texts whose calls must stay text and ${calls.length} whose calls must be delivered`,
    );
    expect(read('../../docs/security.md')).toContain(`${named(examples)} and ${named(calls)} of them`);
    expect(read('../../docs/security.md')).toContain(`${missed.length} of the ${calls.length} `);
  });

  it('would be calls if the words around them did not count', () => {
    for (const { name } of dialects)
      expect(parse(findDialect(name), spelled(name), { tools: [tool] }).calls).toHaveLength(1);
  });
});

describe('a call that is only shown', () => {
  it.each(examples.map(({ text }, at) => [text, at] as const))('stays text: %j', async (shown, at) => {
    for (const { name } of dialects) {
      const text = shown.replaceAll('●', spelled(name));
      const whole = await healed([text], name);
      expect(whole).toMatchObject({ calls: [], text });
      const cut = at % 2 === 0 ? cutEvery(text, 1) : cutRandomly(text, at);
      expect(await healed(cut, name)).toEqual(whole);
    }
  });

  it('is reported, with the reason', async () => {
    const found = await healed([`1. Send this:\n   ${spelled('hermes')}`], 'hermes');
    expect(found.report?.issues).toMatchObject([
      {
        code: 'quoted-call',
        message: 'A call of get_weather stays text: it is indented behind a list mark or a block key.',
      },
    ]);
    const many = await healed([`Done:\n- ${spelled('hermes')}`.repeat(40)], 'hermes');
    expect(codes(many)).toHaveLength(16);
    expect(many.report?.issues.at(-1)?.message).toContain('24 more stay text and are not listed.');
  });

  it('is reported wherever it stands', async () => {
    const silent: string[] = [];
    for (const { text } of examples) {
      const found = await healed([text.replaceAll('●', spelled('hermes'))], 'hermes');
      if (!codes(found).includes('quoted-call')) silent.push(text);
    }
    expect(silent).toEqual([]);
  });

  it.each([
    ['in a fence', '```xml\n●\n```\nis a call.'],
    ['in a fence that is not closed', 'It is written so:\n~~~\n●'],
    ['in a fence in a list', '1. Send it:\n   ```\n   ●\n   ```\n2. Wait.'],
    ['in several fences', 'One:\n```\n●\n```\nTwo:\n```\n●\n●\n```\n'],
  ])('is reported %s, however it is cut', async (_, shown) => {
    for (const { name } of dialects) {
      const text = shown.replaceAll('●', spelled(name));
      const whole = await healed([text], name);
      expect(whole).toMatchObject({ calls: [], text });
      expect(codes(whole)).toContain('quoted-call');
      expect(await healed(cutEvery(text, 1), name)).toEqual(whole);
      expect(await healed(cutRandomly(text, 7), name)).toEqual(whole);
    }
  });

  it('is reported in a fence also where it is a copy of the input, and outside of one as a copy', async () => {
    const call = spelled('hermes');
    const input = `What is ${call}?`;
    expect(codes(await healed([`It is:\n\`\`\`\n${call}\n\`\`\`\n`], 'hermes', input))).toEqual([
      'quoted-call',
    ]);
    expect(codes(await healed([`1. Send this:\n   ${call}`], 'hermes', input))).toEqual(['suspected-echo']);
  });

  it('and is copied word for word from the input stays text', async () => {
    const text = spelled('hermes');
    const found = await healed([text], 'hermes', `What does ${text} do?`);
    expect(found).toMatchObject({ calls: [], text });
    expect(codes(found)).toEqual(['suspected-echo']);
  });

  it.each([
    ['in a JSON string', (text: string) => JSON.stringify({ page: text })],
    ['in a JSON string in another', (text: string) => JSON.stringify(JSON.stringify({ page: text }))],
    ['with other line breaks', (text: string) => text.replaceAll('\n', '\r\n')],
    ['indented', (text: string) => text.replaceAll('\n', '\n    ')],
    [
      'in HTML',
      (text: string) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ],
    ['in HTML, by numbers', (text: string) => text.replaceAll('<', '&#60;').replaceAll('>', '&#x3e;')],
    ['compact', (text: string) => text.replaceAll('\n', '').replaceAll(': ', ':')],
    ['with escapes', (text: string) => text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003E')],
  ])('and stands %s in the input stays text', async (_, written) => {
    for (const { name } of dialects) {
      const text = spelled(name);
      const found = await healed([text], name, `The page has ${written(text)} in it.`);
      expect(found).toMatchObject({ calls: [], text });
      expect(codes(found)).toEqual(['suspected-echo']);
      const other = await healed(
        [text],
        name,
        `The page has ${written(text).replaceAll('Rome', 'Oslo')} in it.`,
      );
      expect(other.calls).toEqual(['get_weather']);
    }
  });
});

describe('a call that is meant', () => {
  const found = calls.filter((one) => !one.missed);

  it.each(found.map(({ text }, at) => [text, at] as const))('is delivered: %j', async (meant, at) => {
    for (const { name } of dialects) {
      const text = meant.replaceAll('●', spelled(name));
      const whole = await healed([text], name);
      expect(whole.calls).toHaveLength(meant.split('●').length - 1);
      expect(codes(whole)).not.toContain('quoted-call');
      const cut = at % 2 === 0 ? cutEvery(text, 1) : cutRandomly(text, at);
      expect((await healed(cut, name)).calls).toEqual(whole.calls);
    }
  });

  it.each(missed.map(({ text, missed }) => [text, missed] as const))(
    'is known to be missed, and reported: %j',
    async (meant, reason) => {
      for (const { name } of dialects) {
        const text = meant.replaceAll('●', spelled(name));
        const whole = await healed([text], name);
        expect(whole).toMatchObject({ calls: [], text });
        expect(whole.report?.issues).toMatchObject([
          { code: 'quoted-call', message: `A call of get_weather stays text: ${reason}.` },
        ]);
      }
    },
  );

  it.each(['kimi-k2', 'deepseek-v3.1', 'command-a'])(
    'stands right behind text where the template of %s puts it',
    async (name) => {
      expect(callsStandBehindText(findDialect(name))).toBe(true);
      const call = spelled(name);
      expect((await healed([`Let me look.${call}`], name)).calls).toEqual(['get_weather']);
      for (const text of [`For example: ${call}`, `- ${call}`, `Write ${call} and wait.`, `| ${call} |`])
        expect(await healed([text], name)).toMatchObject({ calls: [], text });
    },
  );

  it('is on a line of its own in the templates of the dialects above', () => {
    expect(dialects.filter((dialect) => callsStandBehindText(dialect))).toEqual([]);
  });
});

describe('a text that opens something again and again', () => {
  // What that costs: quoted-calls-time.alone.test.ts.
  it.each(openings)('comes out whole: %j', async (piece) => {
    const text = repeated(piece, 20_000);
    expect((await healed([text], 'hermes')).text).toBe(text);
  });
});
