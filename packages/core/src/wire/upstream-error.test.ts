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
    ['{"error":"<LM Studio error> No model is loaded."}', '<LM Studio error> No model is loaded.'],
    ['{"error":{"message":"<html><title>Bad Gateway</title><p>at 10.0.0.7</html>"}}', 'Bad Gateway'],
    ['plain\n text', 'plain text'],
  ];
  for (const [body, says] of bodies) {
    it(`is found in ${body}`, () => {
      expect(decodeError(400, body).message).toBe(`The upstream answered 400: ${says}`);
    });
  }

  it('is its status where it says nothing', () => {
    for (const body of ['', '{}', 'null']) {
      expect(decodeError(500, body).message).toBe('The upstream answered 500.');
    }
  });

  it.each([
    [
      '<html>\r\n<head><title>502 Bad Gateway</title></head><body>at 10.0.0.7</body></html>',
      ': 502 Bad Gateway',
    ],
    [
      '\ufeff\n<!DOCTYPE html><html lang=en><TITLE id="t">Sign in &amp; go</TITLE><script>…',
      ': Sign in & go',
    ],
    ['<html><body><h1>504 <b>Gateway</b> Time-out</h1>\nat 10.0.0.7</body></html>', ': 504 Gateway Time-out'],
    ['<?xml version="1.0"?><Error><Code>X</Code><Message>Access Denied</Message></Error>', ': Access Denied'],
    ['<p>Sorry, at 10.0.0.7<br>no.</p>', '.'],
    [`<html><title>${'x'.repeat(30_000)}`, '.'],
  ])('is only the title of a web page: %.40s', (body, says) => {
    expect(decodeError(502, body)).toMatchObject({
      code: 'upstream-failed',
      message: `The upstream answered 502 with a web page${says}`,
    });
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

describe('a conversation that is longer than the context', () => {
  const vllm =
    "This model's maximum context length is 4096 tokens. However, you requested 100 output tokens and your prompt contains 5000 input tokens, for a total of 5100 tokens.";
  it.each([
    ['vLLM', 400, { error: { message: vllm, type: 'BadRequestError', param: null, code: 400 } }],
    [
      'SGLang',
      400,
      {
        object: 'error',
        message: "The input (9 tokens) is longer than the model's context length (8 tokens).",
        type: 'BadRequest',
        code: 400,
      },
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'request (9 tokens) exceeds the available context size (8 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9,
          n_ctx: 8,
        },
      },
    ],
    [
      'Ollama',
      400,
      {
        error: {
          message:
            'the prompt is longer than the context length currently available to the model; shorten the prompt',
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      },
    ],
    [
      'TGI',
      422,
      {
        error:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8. Given: 9 `inputs` tokens and 1 `max_new_tokens`',
        error_type: 'validation',
      },
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).',
      },
    ],
    [
      'OpenAI',
      400,
      {
        error: {
          message: 'Too much.',
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      },
    ],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'prompt is too long: 208310 tokens > 200000 maximum',
        },
      },
    ],
  ])('is recognised in the words of %s, as a status and in a stream', (_, status, body) => {
    expect(decodeError(status, JSON.stringify(body))).toMatchObject({
      code: 'context-too-long',
      status,
      retryable: false,
    });
    expect(decodeInnerError(body)).toMatchObject({ code: 'context-too-long', retryable: false });
  });

  it('is no limit on tokens a minute, and nothing that a refused message quotes far behind', () => {
    const rate = 'Rate limit reached for tokens per min. The maximum context length is 8.';
    expect(decodeError(429, JSON.stringify({ error: { message: vllm } })).code).toBe('rate-limited');
    expect(decodeError(400, JSON.stringify({ error: { message: rate } })).code).toBe('upstream-refused');
    expect(decodeError(400, `${'x'.repeat(5000)} ${vllm}`).code).toBe('upstream-refused');
  });
});
