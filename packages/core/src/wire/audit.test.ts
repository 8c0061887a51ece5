import { describe, expect, it } from 'vitest';
import { anthropicMessages, openaiChat, openaiResponses, wires } from './index.js';

const sse = (events: readonly (object | string)[]) =>
  events
    .map((event) => {
      const type = typeof event === 'object' && 'type' in event ? `event: ${String(event.type)}\n` : '';
      return `${type}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
    })
    .join('');

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const piece = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  text: string,
) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: text } }],
});
const begin = chunk({ role: 'assistant' });

describe('the audit of a chat stream', () => {
  const audit = (events: readonly (object | string)[]) => openaiChat.auditAnswer(sse(events), true);
  const end = [chunk({}, 'tool_calls'), '[DONE]'];

  it('gives the ids and the finish reason as they came', () => {
    const calls = [
      chunk(piece(0, 'a', 'f', '{')),
      chunk(piece(0, undefined, undefined, '}')),
      chunk(piece(1, 'a', 'f', '{}')),
    ];
    expect(audit([begin, ...calls, ...end])).toEqual({
      callIds: ['a', 'a'],
      finish: 'tool_calls',
      wanted: 'tool_calls',
      triggered: true,
      order: [],
    });
    expect(audit([chunk({ content: 'Hi' }), chunk({}, 'eos'), '[DONE]'])).toMatchObject({
      callIds: [],
      finish: 'eos',
      wanted: 'stop',
      triggered: false,
      order: [],
    });
  });

  it.each([
    [[chunk({ content: 'Hi' }), chunk({}, 'stop')], /without \[DONE\]/],
    [[chunk({}, 'stop'), chunk({ content: 'Hi' }), '[DONE]'], /after the finish reason/],
    [[chunk({}, 'stop'), '[DONE]', chunk({ content: 'Hi' })], /after \[DONE\]/],
    [['{"half', ...end], /no JSON/],
    [[chunk(piece(undefined, 'a', 'f', '{}')), ...end], /no index/],
    [[chunk(piece(0, 'a', undefined, '{')), chunk(piece(0, undefined, 'f', '}')), ...end], /no name/],
    [[chunk({ tool_calls: [{ index: 0, id: 'a', name: 'f', arguments: '{}' }] }), ...end], /no function/],
    [['{"choices":[{"message":{"content":"Hi"}}]}', ...end], /place of the delta/],
    [[chunk(piece(1, 'a', 'f', '{}')), ...end], /gap/],
    [
      [chunk(piece(0, 'a', 'f', '{}')), chunk(piece(0, 'b', 'f', '{}')), ...end],
      /Two calls have the index 0/,
    ],
    [
      [chunk(piece(0, 'a', 'f', '{')), chunk(piece(0, undefined, 'f', '}')), ...end],
      /The name of a call comes more than once/,
    ],
    [
      [chunk(piece(0, undefined, 'f', '{')), chunk(piece(0, 'a', undefined, '}')), ...end],
      /The first piece of a call has no id/,
    ],
  ])('tells what is out of place: case %#', (events, fault) => {
    expect(audit(events).order.join()).toMatch(fault);
  });

  it('leaves a call that never gets a name to those who read calls', () => {
    expect(audit([chunk(piece(0, 'a', undefined, '{}')), ...end]).order).toEqual([]);
  });

  it('tells what the message and its calls lack', () => {
    const call = chunk(piece(0, 'a', 'f', '{}'));
    expect(audit([call, ...end]).message).toMatch(/no role/);
    expect(audit([chunk({ role: 'model' }), call, ...end]).message).toMatch(/"model"/);
    expect(audit([begin, chunk({ content: [{ type: 'text', text: 'Hi' }] }), ...end]).message).toMatch(
      /a list/,
    );
    const untyped = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] });
    expect(audit([begin, untyped, ...end]).call).toMatch(/no type/);
    const older = chunk({ function_call: { name: 'f', arguments: '{}' } });
    expect(audit([begin, older, ...end])).toMatchObject({
      call: expect.stringMatching(/function_call/),
      calls: [],
    });
    expect(audit([begin, chunk(piece(0, 'a', 'f', '')), ...end]).oddArguments).toMatch(/empty/);
    expect(audit([{ error: { message: 'boom' } }, '[DONE]']).error).toBe(true);
  });
});

describe('the audit of a stream of messages', () => {
  const start = { type: 'message_start', message: { role: 'assistant', content: [] } };
  const block = (index: number, content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const delta = (index: number) => ({ type: 'content_block_delta', index, delta: {} });
  const typed = (index: number, type: string) => ({ ...delta(index), delta: { type } });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const end = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }];
  const audit = (events: readonly object[]) => anthropicMessages.auditAnswer(sse(events), true);

  it('finds nothing wrong with one in order', () => {
    const call = block(0, { type: 'tool_use', id: 'a', name: 'f' });
    expect(audit([start, call, delta(0), stop(0), { type: 'ping' }, ...end])).toEqual({
      callIds: ['a'],
      finish: 'tool_use',
      wanted: 'tool_use',
      triggered: true,
      order: [],
    });
  });

  it.each([
    [[block(0, {}), stop(0), ...end], /before message_start/],
    [[start, block(0, {}), block(1, {}), ...end], /before the one before it has stopped/],
    [[start, delta(0), ...end], /no open block/],
    [[start, stop(0), ...end], /not open/],
    [[start, block(2, {}), stop(2), ...end], /gap/],
    [[start, block(0, {}), ...end], /before a block has stopped/],
    [[start, ...end, start], /after message_stop/],
    [[start, start, ...end], /message_start comes twice/],
    [[start, { type: 'message_stop' }], /without message_delta/],
    [
      [start, block(0, { type: 'tool_use' }), typed(0, 'text_delta'), stop(0), ...end],
      /text_delta comes in a block of the type tool_use/,
    ],
    [[start, typed(0, 'text_delta'), block(0, { type: 'text' }), stop(0), ...end], /no open block/],
    [[start], /without message_stop/],
  ])('tells what is out of place: case %#', (events, fault) => {
    expect(audit(events).order.join()).toMatch(fault);
  });

  it('tells an event without its name, which clients skip', () => {
    expect(anthropicMessages.auditAnswer(`data: ${JSON.stringify(start)}\n\n`, true).order[0]).toMatch(
      /clients skip it/,
    );
  });
});

describe('the audit of a stream of a response', () => {
  let number = 0;
  const event = (type: string, members: object = {}) => ({ type, sequence_number: number++, ...members });
  const created = () => event('response.created');
  const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  const added = (item: object = { ...call, arguments: '' }) =>
    event('response.output_item.added', { output_index: 0, item });
  const piece = (delta = '{}') => event('response.function_call_arguments.delta', { output_index: 0, delta });
  const whole = (text = '{}') =>
    event('response.function_call_arguments.done', { output_index: 0, arguments: text });
  const done = (item: object = call) => event('response.output_item.done', { output_index: 0, item });
  const completed = (output: object[] = [call]) =>
    event('response.completed', { response: { status: 'completed', output } });
  const audit = (events: readonly object[]) => openaiResponses.auditAnswer(sse(events), true);

  it('finds nothing wrong with one in order', () => {
    expect(audit([created(), added(), piece(), whole(), done(), completed()])).toEqual({
      callIds: ['a'],
      finish: 'completed',
      wanted: 'completed',
      triggered: true,
      order: [],
    });
  });

  it.each([
    [() => [added(), done(), completed()], /before response\.created/],
    [() => [created(), done(), completed()], /no open item/],
    [() => [created(), added(), added(), done(), completed()], /added twice/],
    [() => [created(), added(), completed()], /before an item is done/],
    [() => [created(), added(), done()], /without response\.completed/],
    [() => [created(), added(), done(), completed([])], /other items/],
    [() => [created(), added(), done(), completed(), added()], /after the end/],
    [() => [created(), { ...added(), sequence_number: 0 }, done(), completed()], /do not rise/],
  ])('tells what is out of place: case %#', (events, fault) => {
    expect(audit(events()).order.join()).toMatch(fault);
  });

  const places = (changed: {
    first?: object;
    later?: object;
    last?: object;
    text?: string;
    delta?: string;
  }) => {
    const { first = call, later = call, last = call, text, delta } = changed;
    const begin = added({ ...first, arguments: '' });
    return [created(), begin, piece(delta), whole(text), done(later), completed([last])];
  };

  it.each([
    [{ first: { ...call, call_id: 'b' } }, /call_id of an item differs .* output_item\.done/],
    [{ first: { ...call, name: 'g' } }, /name of an item differs/],
    [{ last: { ...call, call_id: 'b' } }, /call_id of an item differs .* completed/],
    [{ last: { ...call, arguments: '{"a":1}' } }, /arguments of completed differ/],
    [{ later: { ...call, arguments: '{"a":1}' } }, /arguments of output_item\.done differ/],
    [{ text: '{"a":1}' }, /arguments of function_call_arguments\.done differ/],
    [{ delta: '}' }, /arguments of function_call_arguments\.done differ/],
  ])('tells that a call is not the same in all places: %j', (changed, fault) => {
    const found = audit(places(changed));
    expect(found.order.join()).toMatch(fault);
    expect(found.damaged).toBe(true);
  });

  it('tells a text that is not the same in all places', () => {
    const message = (text: string) => ({ type: 'message', role: 'assistant', content: [{ text }] });
    const at = { output_index: 0, content_index: 0 };
    const said = (delta: string, text: string) => [
      created(),
      added(message('')),
      event('response.output_text.delta', { ...at, delta }),
      event('response.output_text.done', { ...at, text }),
      done(message('Hi')),
      completed([message('Hi')]),
    ];
    expect(audit(said('Hi', 'Hi')).order).toEqual([]);
    expect(audit(said('Hi', 'Ho')).order[0]).toMatch(/text of output_text\.done differs/);
    expect(audit(said('', 'Hi')).order[0]).toMatch(/without deltas/);
  });
});

describe('the audit of anything', () => {
  const texts = [
    '',
    'null',
    '[]',
    '{}',
    'data: null\n\n',
    '{"choices": 5}',
    `${'['.repeat(20_000)}`,
    'data: {\n\n',
  ];
  it.each(wires.flatMap(({ name, auditAnswer }) => (auditAnswer ? [[name, auditAnswer] as const] : [])))(
    'never throws: %s',
    (_, auditAnswer) => {
      for (const text of texts)
        for (const streamed of [true, false]) expect(auditAnswer(text, streamed).callIds).toEqual([]);
    },
  );

  it('tells arguments of another type than the API has', () => {
    const body = (args: unknown) =>
      JSON.stringify({
        choices: [{ message: { tool_calls: [{ id: 'a', function: { name: 'f', arguments: args } }] } }],
      });
    expect(openaiChat.auditAnswer(body({ a: 1 }), false).oddArguments).toMatch(/not a text/);
    expect(openaiChat.auditAnswer(body('{"a": 1}'), false).oddArguments).toBeUndefined();
    expect(openaiChat.auditAnswer(body(''), false).oddArguments).toMatch(/empty/);
  });

  it('tells a total of tokens that is not the sum', () => {
    const parts = { prompt_tokens: 2, completion_tokens: 3, input_tokens: 2, output_tokens: 3 };
    for (const { auditAnswer } of [openaiChat, openaiResponses]) {
      const fault = (total_tokens: number) =>
        auditAnswer(JSON.stringify({ usage: { ...parts, total_tokens } }), false).usage;
      expect(fault(5)).toBeUndefined();
      expect(fault(6)).toMatch(/6 tokens in total, and 2 \+ 3/);
    }
  });

  it('tells a whole answer that is an error, or has another shape', () => {
    const chat = (message: object) =>
      openaiChat.auditAnswer(JSON.stringify({ choices: [{ message }] }), false);
    expect(chat({ role: 'assistant', content: 'Hi' })).not.toHaveProperty('message');
    expect(chat({ content: 'Hi' }).message).toMatch(/no role/);
    expect(chat({ role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }).message).toMatch(/a list/);
    expect(chat({ role: 'assistant', function_call: { name: 'f', arguments: '{}' } }).call).toMatch(
      /function_call/,
    );
    for (const { auditAnswer } of [openaiChat, openaiResponses, anthropicMessages]) {
      expect(auditAnswer('{"error": {"message": "boom"}}', false).error).toBe(true);
      expect(auditAnswer('{"error": null}', false).error).toBeUndefined();
    }
    const text = '{"type": "message", "role": "assistant", "content": "Hi"}';
    expect(anthropicMessages.auditAnswer(text, false).message).toMatch(/a text/);
    const output = [{ type: 'message', content: [] }];
    expect(openaiResponses.auditAnswer(JSON.stringify({ output }), false).message).toMatch(/no role/);
  });
});
