import { describe, expect, it } from 'vitest';
import { decodeError, decodeInnerError } from './upstream-error.js';

describe('an upstream’s error', () => {
  const bodies: [body: string, says: string][] = [
    ['{"error":{"message":"No tools.","type":"x"}}', 'No tools.'],
    ['{"error":"model not found"}', 'model not found'],
    ['{"message":"Bad.","object":"error"}', 'Bad.'],
    ['{"detail":"Not Found"}', 'Not Found'],
    ['{"detail":[{"loc":["body","n"],"msg":"too many"}]}', 'body.n: too many'],
    ['{"error":{"message":" "},"message":"Blank inside."}', 'Blank inside.'],
    ['[{"error":{"message":"In a list."}}]', 'In a list.'],
    ['"bare"', 'bare'],
    ['<html><head><title>502 Bad Gateway</title></head><body>…</body></html>', '502 Bad Gateway'],
    ['<p>Sorry,<br>no.</p>', 'Sorry, no.'],
    ['plain\n text', 'plain text'],
  ];
  for (const [body, says] of bodies) {
    it(`is found in ${body}`, () => {
      expect(decodeError(400, body).message).toBe(`The upstream answered 400: ${says}`);
    });
  }

  it('is its status where it says nothing', () => {
    for (const body of ['', '{}', 'null', '<html></html>']) {
      expect(decodeError(500, body).message).toBe('The upstream answered 500.');
    }
  });

  it('has the code of its status', () => {
    const codeOf = (status: number) => decodeError(status, '').code;
    expect([400, 401, 403, 404, 409, 422].map(codeOf)).toEqual(Array(6).fill('upstream-refused'));
    expect([500, 502, 503, 302, 200].map(codeOf)).toEqual(Array(5).fill('upstream-failed'));
    expect(codeOf(429)).toBe('rate-limited');
    expect(codeOf(529)).toBe('overloaded');
    expect([408, 504].map(codeOf)).toEqual(['upstream-timeout', 'upstream-timeout']);
    expect(decodeError(418, '').status).toBe(418);
  });

  it('is worth asking again only where that may help', () => {
    const retryable = (status: number) => decodeError(status, '{}').retryable;
    expect([400, 401, 404, 408, 409, 429, 500, 529].filter(retryable)).toEqual([408, 409, 429, 500, 529]);
  });

  it('may say that it is busy by its type alone', () => {
    const body = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    expect(decodeError(500, body)).toMatchObject({ code: 'overloaded', status: 500 });
  });

  it('never shows a key, and is never long', () => {
    const message = 'Incorrect API key provided: sk-proj-abcdef0123456789.';
    const body = JSON.stringify({ error: { message } });
    expect(decodeError(401, body).message).toBe(
      'The upstream answered 401: Incorrect API key provided: [key].',
    );
    expect(decodeError(500, 'x'.repeat(1_000_000)).message.length).toBeLessThan(2100);
  });
});

describe('an error inside an answer', () => {
  it.each([
    [{ error: { message: 'Too many.', code: 429 } }, 'rate-limited', 'Too many.', 429],
    [{ error: { message: 'Too many.', code: 'rate_limit_exceeded' } }, 'rate-limited', 'Too many.', 429],
    [{ object: 'error', message: 'No.', code: 400 }, 'upstream-refused', 'No.', 400],
    [{ type: 'error', code: 'invalid_prompt', message: 'No.' }, 'upstream-refused', 'No.', 400],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Busy.' } }, 'overloaded', 'Busy.', 529],
    [{ error: 'it failed' }, 'upstream-failed', 'it failed', undefined],
    [{ error: { type: 'api_error', message: 'Oops.', code: null } }, 'upstream-failed', 'Oops.', undefined],
  ])('is read from %j', (value, code, said, status) => {
    const error = decodeInnerError(value);
    expect(error).toMatchObject({ code, message: `The upstream failed: ${said}` });
    expect(error.status).toBe(status);
  });

  it('need not say anything', () => {
    expect(decodeInnerError({ error: {} }).message).toBe('The upstream failed, and did not say why.');
  });
});
