import { describe, expect, it } from 'vitest';
import { emptyAnswer } from './answer.js';
import { exampleTools } from './example.js';
import { toBody, toMessage, toResults } from './messages.js';

const called = {
  ...emptyAnswer(),
  text: 'I will look.',
  calls: [
    { id: 'a', name: 'get_weather', arguments: '{"city":"Rome"}' },
    { id: 'b', name: 'get_weather', arguments: '{"city":"Oslo"}' },
  ],
  finish: 'tool_calls',
};

describe('what is sent', () => {
  it('has no member that says nothing: no system text, no tools', () => {
    const body = toBody({ model: 'm', system: ' ', tools: '', messages: [{ role: 'user', content: 'Hi' }] });
    expect(body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  it('has the system text first and the tools as they are written', () => {
    const asked = { model: 'm', system: 'Be brief.', tools: exampleTools, messages: [] };
    expect(toBody(asked)).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }],
      tools: [{ function: { name: 'get_weather' } }, { function: { name: 'get_time' } }],
    });
    expect(toBody({ ...asked, tools: '{"name":"f"}' })).toMatchObject({ tools: [{ name: 'f' }] });
  });

  it('answers each call under its id', () => {
    expect(toMessage(called)).toMatchObject({
      content: 'I will look.',
      tool_calls: [{ id: 'a', function: { arguments: '{"city":"Rome"}' } }, { id: 'b' }],
    });
    expect(toResults(called, ['sunny'])).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
      { role: 'tool', tool_call_id: 'b', content: '' },
    ]);
  });

  it('leaves out calls that were cut off: nothing can answer them', () => {
    expect(toMessage({ ...called, finish: 'length' })).toEqual({
      role: 'assistant',
      content: 'I will look.',
    });
  });

  it('is nothing if the tools cannot be read', () => {
    const asked = { model: 'm', system: '', messages: [] };
    expect(() => toBody({ ...asked, tools: '[\n  {"name" "f"}\n]' })).toThrow(/^The tools cannot be read: /);
  });

  it('has the tools of a record in the shape of OpenAI', () => {
    const tools = '{"look": {"description": "Looks.", "inputSchema": {"type": "object"}}}';
    expect(toBody({ model: 'm', system: '', tools, messages: [] })).toMatchObject({
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.' } }],
    });
  });
});
