// The same job in the AI SDK: a model that only writes text, wrapped by `@ai-sdk-tool/parser` and by ours, asked for
// a stream. Both spell tools into the prompt, and turn text into parts of the SDK's stream.

import { hermesToolMiddleware, qwen3CoderToolMiddleware } from '@ai-sdk-tool/parser';
import { dragomanMiddleware } from '@dragoman/core/ai-sdk';
import { wrapLanguageModel } from 'ai';
import { bridgeDeltas } from './bridge.js';
import type { DeltaKind } from './deltas.js';
import { KB, MB, tools } from './inputs.js';
import { cpuOfAsync } from './measure.js';

type Wrapping = Parameters<typeof wrapLanguageModel>[0];
type SdkModel = ReturnType<typeof wrapLanguageModel>;
type SdkPart =
  Awaited<ReturnType<SdkModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

export interface MiddlewareSpeed {
  dialect: string;
  kind: DeltaKind;
  /** Characters that both read, in pieces of four. */
  length: number;
  capped: boolean;
  /** Nanoseconds a delta. */
  peers: number;
  ours: number;
  ratio: number;
  /** Time for this length against half of it. */
  growth: { peers: number; ours: number };
  /** Parts of the stream that carry text or input. */
  parts: { peers: number; ours: number };
}

export const MIDDLEWARE_DIALECTS = ['hermes', 'qwen3-coder'] as const;

const theirs = { hermes: hermesToolMiddleware, 'qwen3-coder': qwen3CoderToolMiddleware };

const usage = {
  inputTokens: { total: 10, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 10, text: undefined, reasoning: undefined },
};

/** A model of the SDK that writes these deltas, one each time it is asked for more. */
function modelOf(deltas: readonly string[]): Wrapping['model'] {
  function* write(): Generator<SdkPart> {
    yield { type: 'stream-start', warnings: [] };
    yield { type: 'text-start', id: 't' };
    for (const delta of deltas) yield { type: 'text-delta', id: 't', delta };
    yield { type: 'text-end', id: 't' };
    yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage };
  }
  const doStream = async () => {
    const parts = write();
    const stream = new ReadableStream<SdkPart>(
      {
        pull(controller) {
          const { done, value } = parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    );
    return { stream };
  };
  const doGenerate = () => Promise.reject(new Error('This model only streams.'));
  const known = { specificationVersion: 'v3' as const, provider: 'bench', modelId: 'some-model' };
  return { ...known, supportedUrls: {}, doStream, doGenerate };
}

const asked: Parameters<SdkModel['doStream']>[0] = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Write it.' }] }],
  tools: tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: parameters as never,
  })),
};

interface MiddlewareReading {
  characters: number;
  parts: number;
}

async function read(
  deltas: readonly string[],
  middleware: Exclude<Wrapping['middleware'], readonly unknown[]>,
): Promise<MiddlewareReading> {
  const { stream } = await wrapLanguageModel({ model: modelOf(deltas), middleware }).doStream(asked);
  let characters = 0;
  let input = 0;
  let parts = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value;
    if (part.type === 'error') throw part.error;
    if (part.type === 'tool-call') input += part.input.length;
    if (part.type !== 'text-delta' && part.type !== 'tool-input-delta') continue;
    if (part.type === 'text-delta') characters += part.delta.length;
    parts++;
  }
  return { characters: characters + input, parts };
}

/** Milliseconds for three readings by the peer, beyond which neither is given a longer text. */
const PATIENCE = 3000;

/** Doubles the text while the peer keeps up; at the last length both read the same, in turns, the best of three. */
export async function middlewareSpeed(
  dialect: keyof typeof theirs,
  kind: DeltaKind,
  full = kind === 'prose' ? 256 * KB : MB,
): Promise<MiddlewareSpeed> {
  const ourMiddleware = dragomanMiddleware({ dialect }) as typeof hermesToolMiddleware;
  const text = (length: number) => bridgeDeltas(dialect, kind, length);
  const parts = { peers: 0, ours: 0 };
  const times = async (deltas: readonly string[]) => ({
    peers: await cpuOfAsync(() => keep('peers', read(deltas, theirs[dialect]))),
    ours: await cpuOfAsync(() => keep('ours', read(deltas, ourMiddleware))),
  });
  const keep = async (who: keyof typeof parts, reading: Promise<MiddlewareReading>) => {
    const { characters, parts: count } = await reading;
    parts[who] = count;
    return characters;
  };
  let length = 8 * KB;
  let half = await times(text(length));
  let best = half;
  for (; length < full && best.peers * 3 <= PATIENCE; length *= 2) {
    half = best;
    best = await times(text(2 * length));
  }
  const deltas = text(length);
  for (let round = 0; round < 2; round++) best = least(best, await times(deltas));
  const counted = { ...parts };
  half = least(half, await times(text(length / 2)));
  const each = 1e6 / deltas.length;
  return {
    dialect,
    kind,
    length,
    capped: length < full,
    peers: best.peers * each,
    ours: best.ours * each,
    ratio: best.peers / best.ours,
    growth: { peers: best.peers / half.peers, ours: best.ours / half.ours },
    parts: counted,
  };
}

type BothSpeeds = { peers: number; ours: number };

function least(a: BothSpeeds, b: BothSpeeds): BothSpeeds {
  return { peers: Math.min(a.peers, b.peers), ours: Math.min(a.ours, b.ours) };
}
