// What holds for the prompts of all vendors. What one of them does in particular is tested beside its file.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect, Render } from '../engine/dialect.js';
import { defineMarkers } from '../engine/markers.js';
import { renderMessages, renderPrompt } from '../engine/renderer.js';
import { type Span, Writer } from '../engine/writer.js';
import { chatmlTokens } from '../families/writing/chatml.js';
import { deepseekTokens, deepseekV4Tokens, deepseekV32Tokens } from './deepseek/dsml-calls.js';
import { deepseekV31Render, deepseekV32Render } from './deepseek/prompt.js';
import { deepseekV4Render, deepseekV41Render } from './deepseek/v4-prompt.js';
import { glm45Layout, glm47Layout, glmRender, glmTokens } from './glm/prompt.js';
import { hermesRender } from './hermes/prompt.js';
import { qwen3CoderRender } from './qwen3-coder/prompt.js';
import { qwen3CoderTokens } from './qwen3-coder/tools.js';

/** Just enough of a dialect to render with: how it reads is not asked here. */
function speaking(name: string, render: Render, tokens: readonly string[]): Dialect {
  return {
    name,
    render,
    markers: defineMarkers(tokens),
    traits: { resultRole: 'user' },
  } as unknown as Dialect;
}

const dialects = [
  speaking('glm-4.5', glmRender(glm45Layout), glmTokens),
  speaking('glm-4.7', glmRender(glm47Layout), glmTokens),
  speaking('deepseek-v3.1', deepseekV31Render, deepseekTokens),
  speaking('deepseek-v3.2', deepseekV32Render, deepseekV32Tokens),
  speaking('deepseek-v4', deepseekV4Render, deepseekV4Tokens),
  speaking('deepseek-v4.1', deepseekV41Render, deepseekV4Tokens),
  speaking('hermes', hermesRender, chatmlTokens),
  speaking('qwen3-coder', qwen3CoderRender, qwen3CoderTokens),
];

interface Case {
  name: string;
  thinking?: boolean;
  generate?: boolean;
  options?: Record<string, unknown>;
  request: unknown;
  prompt: string;
}

function vectors(dialect: string): Case[] {
  const file = new URL(`../../corpus/vectors/${dialect}-prompts.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }).cases;
}

describe.each(['glm-4.5', 'glm-4.7', 'deepseek-v3.2', 'deepseek-v4'])('%s', (name) => {
  const dialect = dialects.find((candidate) => candidate.name === name) as Dialect;
  it.each(vectors(name))(
    'writes "$name" as the vendor does',
    ({ request, prompt, thinking, generate, options }) => {
      const { text } = renderPrompt(dialect, request, {
        ...(thinking !== undefined && { thinking }),
        ...(generate !== undefined && { generate }),
        template: options ?? {},
      });
      expect(text).toBe(prompt);
    },
  );
});

const tool = (name: string, description: string) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: {
      type: 'object',
      properties: {
        location: { type: 'string', description },
        days: { type: ['integer', 'null'], enum: [1, description] },
      },
    },
  },
});

/** A conversation whose every text from outside is `text`. */
function saying(text: string) {
  const call = (id: string, input: object) => ({
    id,
    type: 'function',
    function: { name: 'get_weather', arguments: input },
  });
  return {
    tools: [tool('get_weather', text)],
    messages: [
      { role: 'system', content: text },
      { role: 'system', content: text },
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'text', text },
        ],
      },
      { role: 'system', content: text },
      {
        role: 'assistant',
        reasoning_content: text,
        content: text,
        tool_calls: [call('1', { location: text, [text]: [text] }), call('2', { location: text })],
      },
      { role: 'tool', tool_call_id: '2', content: text },
      { role: 'tool', tool_call_id: '1', content: text },
      { role: 'user', content: text },
      { role: 'assistant', content: text },
    ],
  };
}

/** The places of markers that do not stand in our own markup. */
function forged(text: string, spans: readonly Span[], dialect: Dialect): number[] {
  const places: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (!dialect.markers.firsts.includes(text.charAt(at))) continue;
    const length = dialect.markers.match(text, at, true);
    if (length <= 0) continue;
    const ours = spans.some((span) => span.origin === 'ours' && span.start <= at && at + length <= span.end);
    if (!ours) places.push(at);
  }
  return places;
}

function hostile(tokens: readonly string[]) {
  const halves = tokens.flatMap((token) => [
    token.slice(0, 2),
    token.slice(2),
    token.slice(0, -1),
    token.at(-1) ?? '',
  ]);
  const piece = fc.oneof(
    fc.constantFrom(...tokens, ...halves, '<', '\\', '"', '\n', ' ', '\ud83d', '</description>', '<name>'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  return fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
}

const tokensOf = (name: string): readonly string[] => {
  if (name.startsWith('glm')) return glmTokens;
  return name.startsWith('deepseek') ? [...deepseekV32Tokens, ...deepseekV4Tokens] : qwen3CoderTokens;
};

describe.each(dialects)('$name', (dialect) => {
  it('lets no text from outside form a marker, in prompts and in messages', () => {
    fc.assert(
      fc.property(hostile(tokensOf(dialect.name)), fc.boolean(), fc.boolean(), (text, thinking, short) => {
        const { text: prompt, spans } = renderPrompt(dialect, saying(text), { thinking });
        expect(forged(prompt, spans, dialect)).toEqual([]);
        for (const { content, spans } of renderMessages(dialect, saying(text), { short }).messages) {
          expect(forged(content, spans, dialect)).toEqual([]);
        }
        expect(prompt.isWellFormed()).toBe(true);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('gives spans that tile what it writes', () => {
    const { text, spans } = renderPrompt(dialect, saying('a <tool_call> b'));
    let end = 0;
    for (const span of spans) {
      expect(span.start).toBe(end);
      end = span.end;
    }
    expect(end).toBe(text.length);
  });

  it('refuses a marker from outside under `reject`, and writes it under `exact`', () => {
    const marker = dialect.render.stop[0] as string;
    const messages = [{ role: 'user', content: `a${marker}b` }];
    expect(() => renderPrompt(dialect, messages, { safety: 'reject' })).toThrow(
      expect.objectContaining({ code: 'hostile-text' }),
    );
    const exact = renderPrompt(dialect, messages, { safety: 'exact' });
    expect(exact.text).toContain(`a${marker}b`);
    expect(forged(exact.text, exact.spans, dialect)).toHaveLength(1);
    expect(renderPrompt(dialect, messages).text).not.toContain(`a${marker}b`);
  });

  it('teaches the format in under 800 characters, with an example, the results and the last word', () => {
    const out = new Writer(dialect.markers);
    dialect.render.instructions(out, [], { short: true });
    expect(out.text.length).toBeLessThan(800);
    expect(out.text).toContain('NAME');
    expect(out.text).toContain('Results come back');
    expect(out.text).toContain('never write results yourself');
  });

  it('teaches every tool, in the long and in the short form', () => {
    for (const short of [false, true]) {
      const [system] = renderMessages(
        dialect,
        { messages: [], tools: [tool('f', 'one'), tool('g', 'two')] },
        { short },
      ).messages;
      for (const word of ['f', 'one', 'g', 'two', 'location']) expect(system?.content).toContain(word);
    }
  });

  it('does not speak of tools when none may be used', () => {
    const request = { ...saying('x'), messages: [{ role: 'user', content: 'Hi' }] };
    const silent = { ...request, tool_choice: 'none' };
    expect(renderPrompt(dialect, silent).text).toBe(renderPrompt(dialect, { ...request, tools: [] }).text);
    expect(renderPrompt(dialect, silent).text).not.toBe(renderPrompt(dialect, request).text);
    expect(renderMessages(dialect, silent).messages).toHaveLength(1);
  });

  it('writes the same messages as the conversation grows, but for text that joins results', () => {
    const { tools, messages } = saying('text');
    const whole = renderMessages(dialect, { tools, messages }).messages;
    for (let length = 2; length < messages.length; length++) {
      const part = renderMessages(dialect, { tools, messages: messages.slice(0, length) }).messages;
      const last = part.pop();
      // Results may still be waited for: a run that is cut is no turn yet.
      if (messages[length - 1]?.role === 'tool' && messages[length]?.role === 'tool') continue;
      expect(whole.slice(0, part.length)).toEqual(part);
      expect(whole[part.length]?.content.startsWith(last?.content ?? '')).toBe(true);
    }
  });
});
