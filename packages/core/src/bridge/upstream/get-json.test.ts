import { expect, it } from 'vitest';
import { getJson } from './get-json.js';

it.each([
  ['http://up.invalid/v1', 'http://up.invalid/v1/models'],
  ['http://up.invalid/v1/', 'http://up.invalid/v1/models'],
  ['http://up.invalid/v1?api-version=1', 'http://up.invalid/v1/models?api-version=1'],
])('asks %s at %s', async (url, address) => {
  const asked: string[] = [];
  const fetch = async (at: string) => {
    asked.push(at);
    return Response.json({ data: [] });
  };
  expect(await getJson({ url, fetch }, '/models')).toEqual({ status: 200, value: { data: [] } });
  expect(asked).toEqual([address]);
});
