import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../model/index.js';
import { encodeError } from './errors.js';

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
    expect(refused(302)).toMatchObject({ status: 502, body: { error: { type: 'api_error' } } });
  });

  it('says in the words of the API that a conversation is too long', () => {
    const said = (message: string) => encodeError(new ApiError('context-too-long', message, { status: 422 }));
    const error = (message: string) => ({
      status: 400,
      body: { error: { type: 'invalid_request_error', message } },
    });
    expect(said('The upstream answered 422: No.')).toMatchObject(
      error('prompt is too long: The upstream answered 422: No.'),
    );
    for (const own of [
      'Prompt is too long: 9 tokens > 8 maximum',
      'input length and `max_tokens` exceed context limit: 7 + 2 > 8',
    ])
      expect(said(own)).toMatchObject(error(own));
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
