// A suite from a file: JSON lines, each the body of a chat request. K2 Vendor Verifier's and MiniMax's files are such
// lines (MoonshotAI/K2-Vendor-Verifier, MiniMax-AI/MiniMax-Provider-Verifier). A line may also have `expect_call`, which
// says whether a call is right, and `id`.

import { isObject } from '@dragoman/core/internal';
import { defaultWire } from '@dragoman/core/wire';
import type { Probe } from '../probe.js';

/** Thrown with the number of the line, and what is wrong with it. */
export class SuiteError extends Error {
  override readonly name = 'SuiteError';
}

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

/** K2 Vendor Verifier writes a system message as the role `_input`. */
function withoutOwn(body: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(body.messages)) return body;
  const messages = body.messages.map((message) =>
    isObject(message) && message.role === '_input' ? { ...message, role: 'system' } : message,
  );
  return { ...body, messages };
}
