import { openaiChat } from '@dragoman/core/wire';
import { describe, expect, it } from 'vitest';
import { example } from './example.js';
import { readRequest, servedApis, writeRequest } from './request-text.js';

describe('readRequest', () => {
  it('reads what it wrote, in each API', async () => {
    const apis = await servedApis();
    expect(apis).toHaveLength(3);
    for (const api of apis) {
      const written = writeRequest(example, api);
      if (!('text' in written)) throw new Error(written.problem);
      const read = await readRequest(written.text);
      if (!('draft' in read)) throw new Error(read.message);
      const said = JSON.stringify(read.draft.messages);
      for (const words of ['garden', 'And the day after?', '12 mm of rain', 'get_forecast'])
        expect(said).toContain(words);
      expect(read.draft.messages.map(({ role }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
        'user',
      ]);
      expect(read.draft.tools).toContain('The weather of the coming days.');
    }
  });

  it('says what is no part of a conversation', async () => {
    const read = await readRequest(
      '{"model": "m", "temperature": 1, "messages": [{"role": "user", "content": "Hi"}]}',
    );
    expect(read).toMatchObject({
      leftOut: ['model', 'temperature'],
      draft: { messages: [{ role: 'user' }] },
    });
  });

  it('takes a bare list', async () => {
    expect(await readRequest('[{"role": "user", "content": "Hi"}]')).toMatchObject({
      draft: { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }], tools: '[]' },
    });
  });

  it('points at the field that is wrong', async () => {
    const text = '{"messages": [\n  {"role": "user", "content": "Hi"},\n  {"role": "owl"}\n]}';
    const read = await readRequest(text);
    expect(read).toMatchObject({ path: 'messages[1].role', line: 3 });
    if ('place' in read) expect(text.slice(read.place.from, read.place.to)).toBe('"owl"');
  });

  it('points at what is no JSON', async () => {
    const text = '{\n "messages" 1}';
    expect(await readRequest(text)).toMatchObject({ line: 2, place: { from: text.indexOf('1}') } });
    expect(await readRequest('')).toMatchObject({
      line: 1,
      message: expect.stringMatching(/^This is no JSON/),
    });
  });

  it('takes nothing inherited for said', async () => {
    expect(await readRequest('{"__proto__": {"input": 1}, "messages": []}')).toMatchObject({
      draft: { messages: [] },
    });
  });
});

describe('writeRequest', () => {
  it('says what cannot be written', () => {
    expect(writeRequest({ ...example, tools: '[' }, openaiChat)).toMatchObject({
      problem: expect.stringMatching(/^tools: This is no JSON/),
    });
    expect(writeRequest({ ...example, tools: '[1]' }, openaiChat)).toMatchObject({
      problem: expect.stringMatching(/^tools\[0\]/),
    });
  });
});
