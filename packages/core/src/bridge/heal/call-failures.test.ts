import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../model/index.js';
import { decodeError, decodeInnerError } from '../../wire/upstream-error.js';
import { callFailure } from './call-failures.js';

const failureIn = (body: unknown, status = 500) =>
  callFailure(decodeError(status, typeof body === 'string' ? body : JSON.stringify(body)));

const groq = (generation: string) => ({
  error: { message: 'Failed to call a function.', code: 'tool_use_failed', failed_generation: generation },
});

describe('the failure of an engine to read a call', () => {
  it('has what the model wrote, with quotes and line breaks', () => {
    const raw = `{"text": "it's', err=\n{x}"}`;
    const error = `error parsing tool call: raw='${raw}', err=invalid character`;
    expect(failureIn({ error })).toEqual({ engine: 'Ollama', raw });
    expect(failureIn({ error: { message: error, type: 'api_error' } })).toEqual({ engine: 'Ollama', raw });
    expect(failureIn(error)).toEqual({ engine: 'Ollama', raw });
  });

  it('is seen in an event of a stream, and in the message alone', () => {
    const message = 'Failed to parse input at pos 3: <tool_call>';
    const expected = { engine: 'llama.cpp', raw: '<tool_call>' };
    expect(callFailure(decodeInnerError({ error: { code: 500, message } }))).toEqual(expected);
    expect(callFailure(new ApiError('upstream-failed', message))).toEqual(expected);
  });

  it('is seen in a body that a router quotes as a string', () => {
    const raw = '<function=f>{}</function>';
    const quoted = JSON.stringify(groq(raw));
    expect(failureIn({ error: { message: 'Provider returned error', metadata: { raw: quoted } } })).toEqual({
      engine: 'Groq',
      raw,
    });
    const message = `litellm.BadRequestError: GroqException - ${quoted}\n. Received Model Group=x`;
    expect(failureIn({ error: { message, code: '400' } }, 400)).toEqual({ engine: 'Groq', raw });
    expect(failureIn([{ error: { message } }], 400)).toEqual({ engine: 'Groq', raw });
  });

  it('is seen without what the model wrote', () => {
    expect(failureIn(groq(' '))).toEqual({ engine: 'Groq', raw: undefined });
    const error = 'The model produced output that does not match the expected peg-native format';
    expect(failureIn({ error })).toEqual({ engine: 'llama.cpp', raw: undefined });
  });

  it.each([
    ['another error', { error: { message: 'overloaded' } }],
    ['arguments in the history', { error: { message: 'Failed to parse tool call arguments as JSON: [x]' } }],
    ['no error', 'null'],
    ['nothing', ''],
    ['words far from the start', { error: `${'x'.repeat(500)} error parsing tool call: raw='{}', err=` }],
    [
      'a validator that quotes the request',
      { detail: [{ msg: 'bad', input: "error parsing tool call: raw='{}', err=" }] },
    ],
    ['a request in the error', { error: { message: 'bad' }, request: groq('{}') }],
    ['deep nesting', JSON.parse(`${'{"error":'.repeat(10)}${JSON.stringify(groq('{}'))}${'}'.repeat(10)}`)],
  ])('is not seen in %s', (_, body) => {
    expect(failureIn(body)).toBeUndefined();
  });

  it('is looked for in a body of any kind without an error', () => {
    const bodies = ['{"error":'.repeat(5000), '['.repeat(60_000), `{"error":"${'{"'.repeat(30_000)}"}`];
    for (const body of bodies) expect(failureIn(body)).toBeUndefined();
  });
});

describe('the body of an error', () => {
  it('is kept up to 64 KB, and no log of the error shows it', () => {
    const error = decodeError(500, JSON.stringify({ error: 'no', secret: 'x'.repeat(100_000) }));
    expect(error.body).toHaveLength(64 * 1024);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain('secret');
  });

  it('is the error alone where a failed answer repeats the request', () => {
    const error = decodeInnerError({ error: { message: 'no' }, instructions: 'secret' });
    expect(error.body).toBe('{"error":{"message":"no"}}');
  });
});
