import { describe, expect, it } from 'vitest';
import type { AnswerEvent, ModelRequest } from '../model/index.js';
import { type ApiName, wireOf } from './index.js';

const request: ModelRequest = {
  model: 'm',
  conversation: { messages: [], tools: [], toolChoice: 'auto' },
  settings: {},
  stream: true,
};
const DELTAS = 200_000;

const kinds: Record<string, AnswerEvent> = {
  text: { type: 'text-delta', text: 'word ' },
  thoughts: { type: 'reasoning-delta', text: 'word ' },
  arguments: { type: 'call-delta', id: 'c', text: '"abcd",' },
};

/** How long the last tenth of the deltas takes, measured by the first tenth, and the characters they become. */
function run(api: ApiName, kind: string): { ratio: number; first: number; last: number } {
  const encoder = wireOf(api).createStreamEncoder({ request, newId: (prefix) => prefix, report: false });
  encoder.encode({ type: 'answer-start', id: 'a' });
  if (kind === 'arguments') encoder.encode({ type: 'call-start', id: 'c', name: 'f' });
  const tenth = DELTAS / 10;
  const times: number[] = [];
  const sizes: number[] = [];
  for (let part = 0; part < 10; part++) {
    const start = performance.now();
    let size = 0;
    for (let at = 0; at < tenth; at++) size += encoder.encode(kinds[kind] as AnswerEvent).length;
    times.push(performance.now() - start);
    sizes.push(size);
  }
  return { ratio: times[9]! / times[0]!, first: sizes[0]!, last: sizes[9]! };
}

describe.each(['openai-chat', 'anthropic-messages', 'openai-responses'] as const)('encoding by %s', (api) => {
  it.each(Object.keys(kinds))('costs as much at the end of a long stream as at its beginning: %s', (kind) => {
    let least = Number.POSITIVE_INFINITY;
    // A busy machine makes a tenth look dear at times.
    for (let take = 0; take < 20 && least >= 1.5; take++) {
      const { ratio, first, last } = run(api, kind);
      least = Math.min(least, ratio);
      // Numbers in the events grow by a digit or two; what was said before is not said again.
      expect(last / first).toBeLessThan(1.1);
    }
    expect(least).toBeLessThan(1.5);
  });
});
