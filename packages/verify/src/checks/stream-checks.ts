// Checks of streams: the same answer as without, in the order of the API, and while it is written.

import { type Check, type Finding, fail, PASS } from '../check.js';
import { type Answered, ask, user } from '../probe.js';
import { isMarked } from '../stray-markup.js';
import { exactPrompt, exactText } from '../suite/exact-prompt.js';
import { allTools, echo } from '../tools.js';
import type { ReadCall, Turn } from '../turn.js';
import { difference, isEnded, longProbe } from './argument-checks.js';

const twins = {
  one: [{ name: 'get_weather', input: { city: 'Rome', days: 3, unit: 'celsius' } }],
  two: ['first', 'second'].map((text) => ({ name: echo.name, input: { text } })),
};

const STREAM_ADVICE = {
  any: 'Most servers have a second parser for streams. Report the two answers to its authors; until then, Dragoman in front reads the whole answer alike in both ways.',
  vllm: 'Update vLLM: each tool parser has its own code for streams.',
  sglang: 'Update SGLang: each tool parser has its own code for streams.',
  ollama: 'Update Ollama: before 0.8 calls were not streamed.',
};

/** What a client would run: names and arguments, in any order of their members. */
function callsOf({ calls }: Turn): string {
  return JSON.stringify(calls.map(({ name, input, raw }: ReadCall) => [name, input ? sorted(input) : raw]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sorted(one)]);
}

/** Letters that take several bytes, spaces and line breaks: what a stream that is cut between bytes or tokens loses. */
const TEXT = 'First line: naïve café, 你好，世界 👩🏽‍💻 **bold**.\n\n  - second line, indented';

const streamEqualsWhole: Check = {
  id: 'stream-equals-whole',
  title: 'gives the same answer with and without a stream',
  required: true,
  sends:
    'Two prompts that spell one and two calls out, and one that spells a text out, each with and without a stream. It also looks at the exact cases of the suite that stream.',
  expects: 'The same calls and the same text both ways.',
  why: 'A fault that shows only in streams is found last: tests mostly do not stream, and agents always do.',
  reports: ['vllm-project/vllm#47903', 'vllm-project/vllm#29968', 'mudler/LocalAI#10638'],
  advice: STREAM_ADVICE,
  needs: ['answers', 'calls-tool'],
  probes() {
    const calls = Object.entries(twins).map(([id, wants]) => {
      const question = { messages: [user(exactPrompt(wants))], tools: allTools };
      return { id, wants, steps: [ask(question), ask({ ...question, stream: true })] };
    });
    const question = { messages: [user(exactText(TEXT))] };
    const steps = [ask(question), ask({ ...question, stream: true }), ask(question)];
    return [...calls, { id: 'text', says: [TEXT], steps }];
  },
  judge({ probe, turns: [whole, stream, again] }: Answered) {
    if (stream?.audit?.nameless) return undefined;
    if (!whole || !stream || whole.failure !== undefined || stream.isInnerError) return undefined;
    if (stream.failure !== undefined && !stream.isBroken) return fail(`With a stream: ${stream.failure}`);
    if (!stream.streamed) return fail('A stream was asked for, and a whole answer came.');
    if (stream.isBroken && !isEnded(stream)) return undefined;
    if (again) return stream.isBroken ? undefined : judgeText(whole, stream, again, probe.says?.[0] ?? '');
    return judgeTwins(whole, stream, probe.wants?.length ?? 0);
  },
  judgeTurn({ exchange, failure, isBroken, isInnerError, calls, leak }, { suite }) {
    if (suite !== 'exact' || !exchange.streamed || isBroken || isInnerError || leak) return undefined;
    if (failure !== undefined) return fail(`With a stream: ${failure}`);
    return calls.length > 0 ? PASS : fail('The stream has no call.');
  },
};

/** Answers that another check blames are not compared. */
function judgeTwins(whole: Turn, stream: Turn, wanted: number): Finding | undefined {
  if (whole.calls.length < wanted || stream.leak) return undefined;
  const isRight = [whole, stream].every(({ calls }) => calls.every(({ problem }) => problem === undefined));
  const isSame = isRight ? callsOf(whole) === callsOf(stream) : whole.calls.length === stream.calls.length;
  if (isSame) return PASS;
  // Calls that were joined to one have arguments that do not parse.
  const isJoined = stream.calls.some(({ problem }) => problem === 'arguments-json');
  const count = ({ calls }: Turn) => `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  return whole.calls.length === stream.calls.length
    ? fail('The calls of the stream differ from those of the whole answer.')
    : fail(
        `The whole answer has ${count(whole)}, the stream ${count(stream)}.`,
        isJoined ? { unless: ['arguments-json'] } : {},
      );
}

/**
 * A model may write other words each time. The stream must have the words of one of the two whole answers if those agree,
 * and the text that was asked for if they have it.
 */
function judgeText(whole: Turn, stream: Turn, again: Turn, wanted: string): Finding | undefined {
  const [one, text, other] = [whole, stream, again].map((turn) => turn.text.trim());
  const isBlamed = [whole, stream, again].some(isMarked);
  if (one === '' || text === undefined || one === undefined || isBlamed) return undefined;
  if (text === '') return fail('The whole answer has text, the stream has none.');
  if (text === one || text === other) return PASS;
  const times = (said: string) => said.split(wanted).length - 1;
  const isWrong = one === other || (times(one) === 1 && times(text) !== 1);
  return isWrong ? fail(`With a stream: ${difference(one, text)}`) : PASS;
}

const streamOrder: Check = {
  id: 'stream-order',
  title: 'streams events in the order of the API',
  required: true,
  sends: 'Nothing of its own: it looks at every stream.',
  expects: 'The events that the API documents, in its order and with its members, with an end.',
  why: 'The official clients throw on an event out of place, or join the arguments of two calls.',
  reports: ['InternLM/lmdeploy#3412'],
  advice: STREAM_ADVICE,
  needs: ['answers'],
  judgeTurn({ streamed, exchange, audit, failure, isBroken, isInnerError }) {
    if (!streamed || isInnerError || (failure !== undefined && !isBroken)) return undefined;
    if (audit?.nameless) return undefined;
    const [fault = failure] = audit?.order ?? [];
    if (fault !== undefined) return fail(fault);
    if (!exchange.type.includes('event-stream'))
      return fail(`The stream has the media type ${exchange.type || '(none)'} instead of text/event-stream.`);
    // Whole answers with the same fault fail another check.
    if (audit?.message !== undefined) return fail(audit.message, { unless: ['answers'] });
    return audit?.call === undefined
      ? PASS
      : fail(audit.call, { unless: ['calls-tool', 'stream-equals-whole'] });
  },
};

/** A piece that holds more of the arguments than this share is all of them. */
const MOST_IN_ONE = 0.8;

const argumentsStream: Check = {
  id: 'arguments-stream',
  title: 'streams arguments while they are written',
  required: false,
  sends: 'A prompt that spells a call with a long text out, with a stream.',
  expects: 'Arguments in several pieces. The report has the share of the time in which nothing arrived.',
  why: 'An agent that writes a file shows nothing for minutes, and clients give a silent stream up.',
  reports: ['ollama/ollama#11633', 'peonist-ai/halogen-flash-server#36'],
  advice: {
    any: 'Use a parser that streams arguments. Proxies must not buffer: X-Accel-Buffering: no for nginx.',
    vllm: 'Some parsers of vLLM send arguments whole; an update may help.',
    'llama.cpp': 'Update llama-server: calls are streamed since 2025.',
    ollama: 'Ollama sends every call whole. Dragoman with the raw text of the model streams it.',
  },
  needs: ['calls-tool', 'stream-equals-whole', 'stream-order'],
  probes: () => [
    {
      id: 'long',
      wants: longProbe.wants,
      steps: [ask({ messages: [user(exactPrompt(longProbe.wants))], tools: longProbe.tools, stream: true })],
    },
  ],
  judge({ turns: [turn] }) {
    if (!turn || turn.failure !== undefined || turn.calls.length === 0 || !turn.streamed) return undefined;
    const pieces = turn.times.argumentPieces;
    const length = pieces.reduce((sum, one) => sum + one, 0);
    if (length < 400) return undefined;
    const silent = Math.round(silentShare(turn) * 100);
    return Math.max(...pieces) > MOST_IN_ONE * length
      ? fail(
          `${length} characters of arguments came in one piece; for ${silent} % of the time nothing arrived.`,
        )
      : PASS;
  },
};

/** The share of the answer's time that the longest silence takes, from the first byte to the end. */
export function silentShare({ times: { firstByte, total, arrivals } }: Turn): number {
  const moments = [firstByte, ...arrivals.map(([time]) => time), total];
  const gaps = moments.slice(1).map((time, at) => time - (moments[at] ?? 0));
  return total > firstByte ? Math.max(0, ...gaps) / (total - firstByte) : 0;
}

export const streamChecks: readonly Check[] = [streamEqualsWhole, streamOrder, argumentsStream];
