import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../model/index.js';
import { encodeError } from './errors.js';

describe('an error for a client', () => {
  it('has the status its code has', () => {
    const statuses: Partial<Record<ApiErrorCode, number>> = {
      'bad-request': 400,
      unauthorized: 401,
      'not-found': 404,
      'too-large': 413,
      'context-too-long': 400,
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

  it('tells a model that does not exist from an address that does not', () => {
    const codeOf = (path?: string) =>
      encodeError(new ApiError('not-found', 'x', { ...(path && { path }) })).body;
    expect(codeOf('model')).toMatchObject({ error: { code: 'model_not_found' } });
    expect(codeOf()).toMatchObject({ error: { code: 'not_found' } });
  });

  it('names the field', () => {
    expect(encodeError(new ApiError('bad-request', 'n: too many', { path: 'n' })).body).toEqual({
      error: { message: 'n: too many', type: 'invalid_request_error', param: 'n', code: 'invalid_value' },
    });
  });
});
