// A suite from a file: JSON lines, each the body of a chat request. K2 Vendor Verifier's and MiniMax's files are such
// lines (MoonshotAI/K2-Vendor-Verifier, MiniMax-AI/MiniMax-Provider-Verifier). A line may also have `expect_call`, which
// says whether a call is right, and `id`. Lines of the suite's own files are taken as well: `{"calls": […]}`, `{"ask": …}`.

import { createRandom, isObject } from '@dragoman/core/internal';
import { defaultWire } from '@dragoman/core/wire';
import type { Probe } from '../probe.js';
import { type Draw, exactProbe, judgementProbe } from './draw-suite.js';
import { SuiteError } from './suite-error.js';
import type { ExactCase } from './suite-files.js';
import { suiteFiles } from './suite-files.js';

export function readSuite(text: string): Probe[] {
  const probes: Probe[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() !== '') probes.push(readLine(line, at + 1));
  }
  if (probes.length === 0) throw new SuiteError('The suite holds no request: each line is the body of one.');
  return probes;
}

function readLine(line: string, number: number): Probe {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) throw new Error('expected a JSON object');
    if (isOwn(value)) return readOwn(value, number);
    // `check_type` tells MiniMax's verifier what else to look at, and is not sent.
    const { id, expect_call: label, check_type: _, ...body } = value;
    const given = defaultWire.decodeRequest({ ...withoutOwn(body), model: 'any' });
    return {
      id: `suite.${number}${typeof id === 'string' ? `-${id.replace(/[^\w.-]/g, '_').slice(0, 40)}` : ''}`,
      check: 'calls-tool',
      suite: 'given',
      ...(typeof label === 'boolean' && { label }),
      steps: [{ question: { messages: [], given, stream: given.stream } }],
    };
  } catch (error) {
    throw new SuiteError(`line ${number}: ${(error as Error).message}`);
  }
}

const isOwn = (value: Record<string, unknown>) => value.calls !== undefined || value.ask !== undefined;

/** A line as the suite's own files have them. Every second one streams. */
function readOwn(value: Record<string, unknown>, number: number): Probe {
  const { calls, ask: question, expect_call: label, language = 'en', tools } = value;
  if (language !== 'en' && language !== 'zh') throw new Error('language: expected en or zh');
  const files = suiteFiles();
  const draw: Draw = {
    random: createRandom(number),
    language,
    files: Array.isArray(tools) ? { ...files, tools } : files,
    stream: number % 2 === 0,
    id: `suite.${number}-${language}`,
  };
  if (typeof question === 'string' && typeof label === 'boolean')
    return judgementProbe({ ask: question, expect_call: label }, draw);
  if (question !== undefined) throw new Error('ask: expected a text, and expect_call: true or false');
  if (isCalls(calls) && calls.every(({ name }) => draw.files.tools.some((tool) => tool.name === name)))
    return exactProbe({ calls }, draw);
  throw new Error('calls: expected a list of {name, input} of tools that there are');
}

function isCalls(value: unknown): value is ExactCase['calls'] {
  const isCall = (one: unknown) => isObject(one) && typeof one.name === 'string' && isObject(one.input);
  return Array.isArray(value) && value.length > 0 && value.every(isCall);
}

/** K2 Vendor Verifier writes a system message as the role `_input`. */
function withoutOwn(body: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(body.messages)) return body;
  const messages = body.messages.map((message) =>
    isObject(message) && message.role === '_input' ? { ...message, role: 'system' } : message,
  );
  return { ...body, messages };
}
