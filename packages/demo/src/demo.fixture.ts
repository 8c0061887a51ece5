// Shared by the tests of the demo model: a question with tools, asked through the bridge as a gateway asks it.

import {
  type Answer,
  acceptConversation,
  type Dialect,
  dialects,
  type ModelRequest,
  type RenderOptions,
} from '@dragoman/core';
import { type BridgeEvent, collectAnswer, createAsk } from '@dragoman/core/bridge';
import { fullyTried } from '../../core/src/dialects/every.fixture.js';
import { createDemoUpstream } from './index.js';

export const weather = {
  name: 'get_weather',
  description: 'Current weather of a city',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The name of the city' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      days: { type: 'integer', minimum: 1, maximum: 7, description: 'How far ahead' },
    },
    required: ['city'],
  },
};

export const clock = {
  name: 'get_time',
  description: 'The time in a time zone',
  parameters: { type: 'object', properties: { zone: { type: 'string' } } },
};

export { fullyTried };

export interface Setting {
  dialect: Dialect;
  render: Pick<RenderOptions, 'language' | 'short'>;
}

const taught = [{}, { short: true }, { language: 'zh' as const }, { language: 'zh' as const, short: true }];

/** Every dialect, with every variant of its tool instructions. */
const allSettings: Setting[] = dialects.flatMap((dialect) => taught.map((render) => ({ dialect, render })));

/** The project's own dialects in every variant, those of other models in one. */
export const settings: Setting[] = allSettings.filter(
  ({ dialect, render }) => fullyTried.includes(dialect) || Object.keys(render).length === 0,
);

/**
 * Whether a setting runs in the next case. The project's own dialects, in their default variant, run in every case; all
 * other settings take turns, so that each case runs with a third of them.
 */
export function turnsOf(setting: Setting): () => boolean {
  const isFull = fullyTried.includes(setting.dialect) && Object.keys(setting.render).length === 0;
  let turn = settings.indexOf(setting);
  return () => isFull || turn++ % 3 === 0;
}

/**
 * Dialects whose arguments are tags of their own name, and JSON if a name is no valid tag: that is read with a repair.
 */
export const KEYS_ARE_TAGS: readonly string[] = ['tool-tags', 'minimax-m3'];

/** Dialects with the same tool instructions and the same spelling of calls as another: only results tell them apart. */
export const TAUGHT_ALIKE: Readonly<Record<string, string>> = { 'hunyuan-a13b': 'jamba' };

export function nameOf({ dialect, render }: Setting): string {
  return [dialect.name, ...Object.entries(render).map(([key, value]) => `${key}=${value}`)].join(' ');
}

export interface DemoAnswer extends Answer {
  text: string;
  reasoning: string;
  calls: { name: string; input: unknown }[];
  events: BridgeEvent[];
}

/** Sends one request, and gives what a client gets. */
export async function askDemo(
  setting: Setting,
  conversation: unknown,
  settings: ModelRequest['settings'] = {},
  stream = true,
): Promise<DemoAnswer> {
  const events: BridgeEvent[] = [];
  const ask = createAsk({
    upstream: createDemoUpstream({ delay: 0 }),
    dialect: setting.dialect,
    render: setting.render,
    onEvent: (event) => events.push(event),
  });
  const request = { model: 'demo', conversation: acceptConversation(conversation), settings, stream };
  const answer = await collectAnswer(ask(request, { signal: new AbortController().signal }));
  const parts = answer.choices[0]?.parts ?? [];
  return {
    ...answer,
    events,
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    reasoning: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join(''),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, input: part.input }] : [],
    ),
  };
}

export function user(text: string): { role: 'user'; content: string } {
  return { role: 'user', content: text };
}
