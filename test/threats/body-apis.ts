// How each API writes a request, as text: bodies of up to 32 MB are not built as values first. All parameters are JSON.

export interface BodyApi {
  name: string;
  path: string;
  /** The end of an answer that was streamed. */
  lastEvent: string;
  body(turns: string, more?: string): string;
  /** `role`: as in Chat Completions. */
  turn(role: 'user' | 'assistant' | 'system', content: string): string;
  /** One turn of so many parts of text. */
  parts(text: string, count: number): string;
  image(url: string): string;
  /** A call of `f` with its result. `written`: the text of the arguments. */
  exchange(written: string, result: string): string;
  tool(name: string, schema: string): string;
  /** The member with the strings at which an answer ends. */
  stops?: string;
}

const repeated = (one: string, count: number) => `${`${one},`.repeat(count - 1)}${one}`;

/** An object is written as it is; anything else stays the text that it was. */
function inputOf(written: string): string {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return written;
  } catch {}
  return JSON.stringify(written);
}

export const bodyApis: readonly BodyApi[] = [
  {
    name: 'chat',
    path: '/v1/chat/completions',
    lastEvent: 'data: [DONE]',
    stops: 'stop',
    body: (turns, more = '') => `{"model":"m","messages":[${turns}]${more}}`,
    turn: (role, content) => `{"role":"${role}","content":${content}}`,
    parts: (text, count) =>
      `{"role":"user","content":[${repeated(`{"type":"text","text":${text}}`, count)}]}`,
    image: (url) => `{"role":"user","content":[{"type":"image_url","image_url":{"url":"${url}"}}]}`,
    exchange: (written, result) =>
      `{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${JSON.stringify(written)}}}]},{"role":"tool","tool_call_id":"c","content":${result}}`,
    tool: (name, schema) => `{"type":"function","function":{"name":"${name}","parameters":${schema}}}`,
  },
  {
    name: 'messages',
    path: '/v1/messages',
    lastEvent: 'event: message_stop',
    stops: 'stop_sequences',
    body: (turns, more = '') => `{"model":"m","max_tokens":9,"messages":[${turns}]${more}}`,
    // What the system says is no message there.
    turn: (role, content) => `{"role":"${role === 'assistant' ? role : 'user'}","content":${content}}`,
    parts: (text, count) =>
      `{"role":"user","content":[${repeated(`{"type":"text","text":${text}}`, count)}]}`,
    image: (url) => {
      const data = url.slice(url.indexOf(',') + 1);
      return `{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${data}"}}]}`;
    },
    exchange: (written, result) =>
      `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${inputOf(written)}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":${result}}]}`,
    tool: (name, schema) => `{"name":"${name}","input_schema":${schema}}`,
  },
  {
    name: 'responses',
    path: '/v1/responses',
    lastEvent: 'event: response.completed',
    body: (turns, more = '') => `{"model":"m","input":[${turns}]${more}}`,
    turn: (role, content) => `{"role":"${role}","content":${content}}`,
    parts: (text, count) =>
      `{"role":"user","content":[${repeated(`{"type":"input_text","text":${text}}`, count)}]}`,
    image: (url) => `{"role":"user","content":[{"type":"input_image","image_url":"${url}"}]}`,
    exchange: (written, result) =>
      `{"type":"function_call","call_id":"c","name":"f","arguments":${JSON.stringify(written)}},{"type":"function_call_output","call_id":"c","output":${result}}`,
    tool: (name, schema) => `{"type":"function","name":"${name}","parameters":${schema}}`,
  },
];
