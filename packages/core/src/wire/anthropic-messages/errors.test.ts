import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../model/index.js';
import { decodeError, encodeError } from './errors.js';

describe('encodeError', () => {
  it.each([
    ['bad-request', 400, 'invalid_request_error', 'false'],
    ['unauthorized', 401, 'authentication_error', 'false'],
    ['forbidden', 403, 'permission_error', 'false'],
    ['not-found', 404, 'not_found_error', 'false'],
    ['method-not-allowed', 405, 'invalid_request_error', 'false'],
    ['too-large', 413, 'request_too_large', 'false'],
    ['unsupported-media', 400, 'invalid_request_error', 'false'],
    ['rate-limited', 429, 'rate_limit_error', undefined],
    ['tools-refused', 400, 'invalid_request_error', 'false'],
    ['upstream-failed', 502, 'api_error', undefined],
    ['upstream-broken', 502, 'api_error', undefined],
    ['upstream-timeout', 504, 'timeout_error', undefined],
    ['unreadable-call', 502, 'api_error', undefined],
    ['overloaded', 529, 'overloaded_error', undefined],
    ['internal', 500, 'api_error', 'false'],
  ] as [ApiErrorCode, number, string, string | undefined][])(
    'gives %s the status %i',
    (code, status, type, retry) => {
      const encoded = encodeError(new ApiError(code, 'Why.'));
      expect(encoded.status).toBe(status);
      expect(encoded.body).toEqual({ type: 'error', error: { type, message: 'Why.' } });
      expect(encoded.headers['x-should-retry']).toBe(retry);
    },
  );

  it('passes the status of an upstream that refused', () => {
    const refused = (status: number) => encodeError(new ApiError('upstream-refused', 'No.', { status }));
    expect(refused(401)).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } });
    expect(refused(422)).toMatchObject({ status: 422, body: { error: { type: 'invalid_request_error' } } });
    expect(refused(302).status).toBe(400);
  });

  it('says when to come back', () => {
    expect(encodeError(new ApiError('rate-limited', 'Wait.', { retryAfter: 1.2 })).headers).toEqual({
      'retry-after': '2',
    });
  });

  it('is an error to the official client, which does not ask again in vain', async () => {
    let asked = 0;
    const { status, headers, body } = encodeError(new ApiError('internal', 'Broken.'));
    const fetch = async () => {
      asked++;
      return new Response(JSON.stringify(body), {
        status,
        headers: { 'content-type': 'application/json', ...headers },
      });
    };
    const client = new Anthropic({ apiKey: 'test', maxRetries: 3, fetch });
    const ask = { model: 'm', max_tokens: 1, messages: [{ role: 'user' as const, content: 'x' }] };
    await expect(client.messages.create(ask)).rejects.toMatchObject({ status: 500, type: 'api_error' });
    expect(asked).toBe(1);
  });
});

describe('decodeError', () => {
  it.each([
    [
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"Bad."}}',
      'upstream-refused',
      'Bad.',
    ],
    [404, '{"error":"No model."}', 'upstream-refused', 'No model.'],
    [422, '{"detail":[{"msg":"Field required","loc":["body"]}]}', 'upstream-refused', 'Field required'],
    [429, '{"message":"Slow down."}', 'rate-limited', 'Slow down.'],
    [500, '[{"error":{"message":"Inside a list."}}]', 'upstream-failed', 'Inside a list.'],
    [
      503,
      '<html><body>Bad gateway</body></html>',
      'upstream-failed',
      'The upstream answered with the status 503.',
    ],
    [529, '', 'overloaded', 'The upstream answered with the status 529.'],
    [502, 'upstream connect error', 'upstream-failed', 'upstream connect error'],
    [301, '', 'upstream-failed', 'The upstream answered with the status 301.'],
  ])('reads %i %s', (status, body, code, message) => {
    expect(decodeError(status, body)).toMatchObject({ status, code, message });
  });

  it('asks again only where that may help', () => {
    const retryable = (status: number) => decodeError(status, '{}').retryable;
    expect([400, 401, 404, 408, 409, 429, 500, 529].filter(retryable)).toEqual([408, 409, 429, 500, 529]);
  });

  it('shows no key, and leaves names of models alone', () => {
    const said =
      'Incorrect key sk-ant-api03-Abc123456789_x for claude-sonnet-4-5-20250929 (Bearer eyJhbGciOi.abc)';
    const { message } = decodeError(401, JSON.stringify({ error: { message: said } }));
    expect(message).toBe('Incorrect key [key] for claude-sonnet-4-5-20250929 ([key])');
  });
});
