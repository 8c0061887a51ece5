import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../model/index.js';
import { decodeError, encodeError } from './errors.js';

describe('an error for a client', () => {
  it('has the status its code has', () => {
    const statuses: Partial<Record<ApiErrorCode, number>> = {
      'bad-request': 400,
      unauthorized: 401,
      'not-found': 404,
      'too-large': 413,
      'rate-limited': 429,
      'upstream-failed': 502,
      'upstream-timeout': 504,
      overloaded: 503,
      internal: 500,
    };
    for (const [code, status] of Object.entries(statuses)) {
      expect(encodeError(new ApiError(code as ApiErrorCode, 'x')).status).toBe(status);
    }
    expect(encodeError(new ApiError('upstream-refused', 'x', { status: 403 })).status).toBe(403);
    expect(encodeError(new ApiError('upstream-failed', 'x', { status: 503 })).status).toBe(502);
  });

  it('says whether and when to try again', () => {
    expect(encodeError(new ApiError('bad-request', 'x')).headers).toEqual({ 'x-should-retry': 'false' });
    expect(encodeError(new ApiError('rate-limited', 'x', { retryAfter: 1.5 })).headers).toEqual({
      'retry-after': '2',
    });
  });

  it('names the field', () => {
    expect(encodeError(new ApiError('bad-request', 'n: too many', { path: 'n' })).body).toEqual({
      error: { message: 'n: too many', type: 'invalid_request_error', param: 'n', code: 'invalid_value' },
    });
  });
});

describe('an upstream’s error', () => {
  const bodies: [body: string, says: string][] = [
    ['{"error":{"message":"No tools.","type":"x"}}', 'No tools.'],
    ['{"error":"model not found"}', 'model not found'],
    ['{"message":"Bad.","object":"error"}', 'Bad.'],
    ['{"detail":"Not Found"}', 'Not Found'],
    ['{"detail":[{"loc":["body","n"],"msg":"too many"}]}', 'body.n: too many'],
    ['[{"error":{"message":"In a list."}}]', 'In a list.'],
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
    expect([500, 502, 503, 529, 302, 200].map(codeOf)).toEqual(Array(6).fill('upstream-failed'));
    expect(codeOf(429)).toBe('rate-limited');
    expect(codeOf(408)).toBe('upstream-timeout');
    expect([400, 409, 429, 500].map((status) => decodeError(status, '').retryable)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(decodeError(418, '').status).toBe(418);
  });

  it('never shows a key, and is never long', () => {
    for (const key of ['sk-proj-abcdef0123456789', 'gsk_abcdef0123456789', 'AIzaSyABCDEF0123456789']) {
      const message = `Incorrect API key provided: ${key}. ("${key}", Authorization: Bearer 0123456789abcdef)`;
      const shown = decodeError(401, JSON.stringify({ error: { message } })).message;
      expect(shown).not.toContain(key);
      expect(shown).not.toContain('0123456789abcdef');
      expect(shown).toContain('Incorrect API key provided:');
    }
    expect(decodeError(500, 'x'.repeat(1_000_000)).message.length).toBeLessThan(2100);
  });
});
