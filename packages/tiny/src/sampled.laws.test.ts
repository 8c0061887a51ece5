// What a real neural network writes when it is hot: at temperatures of 1 to 1.5 it makes mistakes that nobody wrote into
// a test. The bridge repairs, asks again and heals; here the laws are checked, not particular texts.

import { existsSync } from 'node:fs';
import {
  type AnswerEvent,
  ApiError,
  acceptConversation,
  all,
  type Dialect,
  type Issue,
  type ToolCall,
} from '@dragoman/core';
import { type AskOptions, collectAnswer, createAsk, type Upstream } from '@dragoman/core/bridge';
import { createValidator } from '@dragoman/core/internal';
import { chunking, createRandom, monotone, nothingLost, type Sample } from '@dragoman/core/testing';
import type { LocalModel } from '@dragoman/local';
import { describe, expect, it } from 'vitest';
import { isFull, oneOf } from '../../../test/effort.js';
import { loadTiny } from './load-tiny.js';
import { promptPieces } from './prompt.js';
import { createTinyUpstream, tinyRender } from './tiny-upstream.js';

const weights = new URL('../model/tiny.gguf', import.meta.url);

const conversation = acceptConversation({
  messages: [
    { role: 'user', content: 'Book a table in Oslo for 4 people on 2027-03-05, and get the weather there.' },
  ],
  tools: [
    tool('get_weather', 'Get the weather', {
      city: { type: 'string', description: 'City name' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    }),
    tool('book_table', 'Book a table', {
      city: { type: 'string', description: 'City name' },
      date: { type: 'string', description: 'Date as YYYY-MM-DD' },
      guests: { type: 'integer', description: 'How many' },
    }),
  ],
});
const { tools } = conversation;

function tool(name: string, description: string, properties: Record<string, object>) {
  const required = Object.keys(properties).slice(0, 1);
  return {
    name,
    description,
    parameters: { type: 'object', properties, required, additionalProperties: false },
  };
}

/** Of every family, with whole prompts and without. */
const named = [
  'alkaid',
  'hermes',
  'glm-4.5',
  'xnl',
  'pythonic',
  'react',
  'harmony',
  'deepseek-v3.1',
  'mistral',
  'minimax-m2',
];
const dialects = isFull ? all.dialects : oneOf(2, named).map((name) => all.find(name));
const temperatures = isFull ? [1, 1.25, 1.5] : [1, 1.5];

interface Sampled {
  /** What the model wrote, attempt by attempt. */
  texts: string[];
  calls: ToolCall[];
  issues: readonly Issue[];
  error?: unknown;
}

async function sample(options: AskOptions, seed: number, temperature: number): Promise<Sampled> {
  const texts: string[] = [];
  const ask = createAsk({
    ...options,
    onEvent: (event) => {
      if (event.type === 'upstream-request') texts.push('');
      if (event.type === 'upstream-text') texts.push((texts.pop() ?? '') + event.text);
    },
  });
  const settings = { temperature, seed, maxTokens: 90 };
  const request = { model: 'tiny', conversation, settings, stream: seed % 2 === 0 };
  try {
    const { choices, report } = await collectAnswer(ask(request, { signal: new AbortController().signal }));
    const parts = choices.flatMap((choice) => choice.parts);
    const calls = parts.filter((part) => part.type === 'tool-call');
    return { texts, calls, issues: report?.issues ?? [] };
  } catch (error) {
    return { texts, calls: [], issues: [], error };
  }
}

/** Calls that a client gets fit their schema, or an issue of the report says that they do not. */
function holdCalls({ calls, issues, error }: Sampled): void {
  if (error !== undefined) expect(error).toBeInstanceOf(ApiError);
  for (const { name, input } of calls) {
    const { parameters } = tools.find((one) => one.name === name) ?? {};
    const problems = parameters ? createValidator(parameters).check(input) : ['no such tool'];
    if (problems.length > 0) expect(issues.length).toBeGreaterThan(0);
  }
}

function holdTexts(dialect: Dialect, texts: readonly string[]): void {
  const samples: Sample[] = texts.map((text) => ({ text, options: { tools, newId: () => 'id' } }));
  const random = createRandom(5);
  const reports = [
    chunking(dialect, samples, random, { twoCuts: 0, random: 10 }),
    nothingLost(dialect, samples),
    monotone(dialect, samples),
  ];
  expect(reports.flatMap(({ law, failures }) => failures.map((failure) => `${law}: ${failure}`))).toEqual([]);
}

/** The same model as an endpoint with tools of its own that leaks: its calls stand in its text. */
function leaking(model: LocalModel, dialect: Dialect): Upstream {
  return {
    takes: 'messages',
    tools: true,
    media: false,
    async *ask({ conversation: asked, settings }, { signal }): AsyncGenerator<AnswerEvent> {
      const { temperature = 1, seed = 1, maxTokens = 90 } = settings;
      const prompt = promptPieces(dialect, asked);
      yield { type: 'answer-start' };
      const sampling = { temperature, seed };
      for await (const event of model.generate({
        prompt,
        sampling,
        stop: dialect.render.stop,
        maxTokens,
        signal,
      })) {
        if (event.type === 'text') yield { type: 'text-delta', text: event.text };
        else yield { type: 'finish', reason: event.reason };
      }
    },
  };
}

describe.runIf(existsSync(weights))('what the tiny model writes', () => {
  const loading = existsSync(weights) ? loadTiny({ slots: 2 }) : undefined;
  const seen = { answers: 0, calls: 0, issues: 0, reasks: 0, errors: 0 };

  it.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    'in %s is read in any cutting, and its calls are right or reported',
    async (_, dialect) => {
      const model = async () => (await loading) as LocalModel;
      const emulated: AskOptions = {
        upstream: createTinyUpstream({ dialect, model }),
        mode: 'emulate',
        dialect,
        render: tinyRender(dialect),
        reasks: 1,
      };
      const healed: AskOptions = {
        upstream: leaking(await model(), dialect),
        mode: 'heal',
        watch: [dialect],
        reasks: 0,
      };
      for (const [at, temperature] of temperatures.entries())
        for (const options of [emulated, healed]) {
          const sampled = await sample(options, at + 1, temperature);
          holdCalls(sampled);
          holdTexts(dialect, sampled.texts);
          seen.answers++;
          seen.calls += sampled.calls.length;
          seen.issues += sampled.issues.length;
          seen.reasks += Math.max(0, sampled.texts.length - 1);
          seen.errors += sampled.error === undefined ? 0 : 1;
        }
    },
  );

  it('has calls, and mistakes', () => {
    console.log(`The tiny model at temperatures of ${temperatures.join(' and ')}: ${JSON.stringify(seen)}`);
    expect(seen.calls).toBeGreaterThan(0);
    expect(seen.issues + seen.reasks + seen.errors).toBeGreaterThan(0);
  });
});
