import type { JsonValue } from '@dragoman/core';
import { anthropicMessages } from '@dragoman/core/wire';
import { expect, it } from 'vitest';
import { asCurl } from './as-curl.js';

it('asks for what the exchange asked for: an answer, or a count of tokens', async () => {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] };
  const request = anthropicMessages.decodeRequest(body) as unknown as JsonValue;
  const curl = (api: string) => asCurl({ api, request }, 'http://gateway/');
  expect(await curl('messages')).toContain('curl http://gateway/v1/messages \\\n');
  expect(await curl('count-tokens')).toContain('curl http://gateway/v1/messages/count_tokens \\\n');
});
