// The order of events in a stream of Anthropic's messages.

import type { EventSourceMessage } from 'eventsource-parser';
import { expect } from 'vitest';
import { alike, type Data, nothing, same, type Told } from './told.js';

const blockDeltas: Record<string, string[]> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
};

export function checkMessages(events: EventSourceMessage[]): Told {
  const told = nothing();
  const all: Data[] = events.map(({ event, data, id }) => {
    const parsed = JSON.parse(data);
    same(event, parsed.type, 'the event line says the type');
    same(id, undefined, 'no ids');
    return parsed;
  });
  const said = all.filter(({ type }) => type !== 'ping');
  if (said.at(-1)?.type === 'error') {
    told.error = said.pop().error.message;
    same(typeof told.error, 'string');
  } else same(said.at(-1)?.type, 'message_stop');
  if (said.length === 0) return told;
  expect(said[0]).toMatchObject({
    type: 'message_start',
    message: { type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null },
  });
  let blocks = 0;
  let open: Data;
  for (const event of said.slice(1)) {
    if (event.type === 'content_block_start') {
      same(open, undefined, 'blocks do not overlap');
      same(told.finish, undefined, 'no block behind message_delta');
      same(event.index, blocks++, 'indices without gaps');
      open = event.content_block;
      startBlock(told, open);
    } else if (event.type === 'content_block_delta') {
      same(event.index, blocks - 1);
      same(blockDeltas[open?.type]?.includes(event.delta.type), true, 'the delta of an open block');
      told.text += event.delta.text ?? '';
      told.reasoning += event.delta.thinking ?? '';
      const call = told.calls.at(-1);
      if (open.type === 'tool_use' && call) call.arguments += event.delta.partial_json;
    } else if (event.type === 'content_block_stop') {
      same(typeof open, 'object', 'only an open block stops');
      same(event.index, blocks - 1);
      const call = told.calls.at(-1);
      if (open.type === 'tool_use' && call) call.complete = true;
      open = undefined;
    } else if (event.type === 'message_delta') {
      same(open, undefined, 'all blocks are stopped');
      same(told.finish, undefined, 'message_delta once');
      told.finish = event.delta.stop_reason;
      told.usage = typeof event.usage?.output_tokens === 'number';
      alike([typeof told.finish, told.usage], ['string', true]);
    } else {
      same(event.type, 'message_stop');
      same(event === said.at(-1), true, 'message_stop once');
      same(typeof told.finish, 'string', 'message_delta before message_stop');
    }
  }
  // The token limit may have cut the last block off, and nothing but the reason says so.
  const call = told.calls.at(-1);
  if (told.finish === 'max_tokens' && call) call.complete = false;
  return told;
}

function startBlock(told: Told, block: Data): void {
  same(Object.hasOwn(blockDeltas, block.type), true, `a block: ${block.type}`);
  if (block.type === 'text') same(block.text, '');
  if (block.type === 'thinking') same(block.thinking, '');
  if (block.type !== 'tool_use') return;
  alike([typeof block.id, typeof block.name, block.input], ['string', 'string', {}]);
  told.calls.push({ id: block.id, name: block.name, arguments: '', complete: false });
}
