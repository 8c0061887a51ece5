import { describe, expect, it } from 'vitest';
import { acceptConversation, type ExactValue, type Message, parseExact } from '../model/index.js';
import { linkCalls } from '../model/link-calls.js';
import { stringifyJson } from '../model/stringify-json.js';
import { messagesTranscript } from './anthropic-messages/transcript.js';
import { putExtra } from './exact-members.js';
import { anthropicMessages, openaiChat } from './index.js';
import { chatTranscript } from './openai-chat/transcript.js';
import type { ReadContext, TranscriptCodec, WriteContext } from './transcript-codec.js';

const reading: ReadContext = {
  readInput: (value) => ({
    input: typeof value === 'string' ? JSON.parse(value) : (value as { [key: string]: string }),
    ...(typeof value === 'string' && { raw: value }),
  }),
  repaired: () => {},
};

/** Of rows that are written as they were read: nothing is lost. */
const writing: WriteContext = {
  own: true,
  names: new Map(['c1', 't1', 'c2', 't2'].map((id) => [id, id.endsWith('1') ? 'get_weather' : 'f'])),
  lose: (code, path) => {
    throw new Error(`${code} at ${path}`);
  },
  beside: putExtra,
  loseExtra: () => {},
  loseResult: () => {},
  inputText: ({ raw, input }) => raw ?? JSON.stringify(input),
  inputValue: ({ input }) => input,
  stringify: (value) => stringifyJson(value, 'compact'),
};

const chat = `[
  {"role":"system","content":"Be brief."},
  {"role":"user","content":"Weather in Oslo?","name":"ann"},
  {"role":"user","content":[{"type":"text","text":"See."},{"type":"image_url","image_url":{"url":"https://x/y.png"}}]},
  {"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\": \\"Oslo\\"}"}}]},
  {"role":"tool","tool_call_id":"c1","content":"rain"},
  {"role":"assistant","content":"Rain.","tool_calls":[{"id":"c2","type":"function","function":{"name":"f","arguments":"{}"},"index":1.0}]},
  {"role":"tool","tool_call_id":"c2","content":""},
  {"role":"assistant","content":[{"type":"text","text":"Take an umbrella."}],"score":1.0}
]`;

const blocks = `[
  {"role":"user","content":"Weather in Oslo?"},
  {"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"get_weather","input":{"city":"Oslo"}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"rain","is_error":true},{"type":"text","text":"Well?","cache_control":{"type":"ephemeral"}}]},
  {"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"f","input":{}}],"score":1.0},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","url":"https://x/y.png"}}],"is_error":false}]},
  {"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://x/y.png"}}]}
]`;

const apis: [string, TranscriptCodec, { decodeRequest: typeof openaiChat.decodeRequest }, string][] = [
  ['chat', chatTranscript, openaiChat, chat],
  ['Messages', messagesTranscript, anthropicMessages, blocks],
];

describe.each(apis)('the codec of the %s API', (_, codec, wire, text) => {
  const list = parseExact(text) as ExactValue[];
  const read = linkCalls(codec.readMessages({ messages: list }, list, reading));

  it('reads a row as a request of the same messages, and as the library does', () => {
    const { conversation } = wire.decodeRequest({ model: 'm', max_tokens: 9, messages: JSON.parse(text) });
    expect(bare(read)).toEqual(bare(conversation.messages));
    expect(bare(read)).toEqual(bare(acceptConversation(JSON.parse(text)).messages));
  });

  it('writes what it read as it was, to the digit', () => {
    const [[key, written] = []] = codec.writeMessages(read, writing);
    expect(key).toBe('messages');
    expect(stringifyJson(written as ExactValue, 'compact')).toBe(stringifyJson(list, 'compact'));
  });
});

/** What the messages say, without what only one API knows. */
function bare(messages: readonly Message[]): unknown {
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => ({ ...part, extra: undefined, raw: undefined })),
  }));
}
