// The requests of a coding agent: sixty tools, and a history that grows by a call and its result at every step.

import { fileText, prose } from './inputs.js';

const TOOLS = 60;
/** Messages of the largest request: a system text, a question, calls with their results, and another question. */
const MESSAGES = 151;

/** `salt` makes all tools and messages of one session differ from those of another. */
function toolsOf(salt: string, count = TOOLS): object[] {
  return Array.from({ length: count }, (_, at) => ({
    type: 'function',
    function: {
      name: `${at === 0 ? 'write_file' : `tool_${at}`}`,
      description: `${salt}${prose(420, at + 1)}`,
      parameters: {
        type: 'object',
        properties: {
          text: { type: 'string', description: prose(90, at + 2) },
          path: { type: 'string', description: prose(60, at + 3) },
          from: { type: 'integer', minimum: 0, description: 'The first line.' },
          mode: { type: 'string', enum: ['one', 'two', 'three'], default: 'one' },
          edits: {
            type: 'array',
            items: {
              type: 'object',
              properties: { old: { type: 'string' }, new: { type: 'string' }, all: { type: 'boolean' } },
              required: ['old', 'new'],
              additionalProperties: false,
            },
          },
          options: {
            type: 'object',
            properties: {
              depth: { type: 'integer' },
              filter: {
                type: 'object',
                properties: { glob: { type: 'string' }, kinds: { type: 'array', items: { type: 'string' } } },
              },
            },
          },
        },
        required: ['text'],
        additionalProperties: false,
      },
    },
  }));
}

function historyOf(salt: string, count: number): object[] {
  const messages: object[] = [
    { role: 'system', content: `${salt}${prose(4000, 7)}` },
    { role: 'user', content: `${salt}${prose(800, 8)}` },
  ];
  for (let step = 0; messages.length + 1 < count; step++) messages.push(...stepOf(salt, step));
  // Agents answer their calls. One without a result, which a user has interrupted, is mended at every request.
  if (messages.length < count) messages.push({ role: 'user', content: salt + prose(800, 9) });
  return messages;
}

function stepOf(salt: string, step: number): object[] {
  const input = { text: salt + fileText(250, step + 10), path: `src/file-${step}.ts` };
  const id = `call_${step}`;
  const called = { name: 'write_file', arguments: JSON.stringify(input) };
  return [
    {
      role: 'assistant',
      content: salt + prose(120, step + 11),
      tool_calls: [{ id, type: 'function', function: called }],
    },
    { role: 'tool', tool_call_id: id, content: salt + fileText(840, step + 12) },
  ];
}

export interface AgentBody {
  model: string;
  stream: boolean;
}

/** A request of a session that nobody has seen before. */
export function newSession({ model, stream }: AgentBody, session: string): string {
  return JSON.stringify({ model, stream, messages: historyOf(session, MESSAGES), tools: toolsOf(session) });
}

/** The same with a tenth of the tools and messages. */
export function smallSession({ model, stream }: AgentBody, session: string): string {
  const messages = historyOf(session, Math.ceil(MESSAGES / 10));
  return JSON.stringify({ model, stream, messages, tools: toolsOf(session, TOOLS / 10) });
}

/** The last requests of one session, each longer by what was answered and by a result, as an agent sends them. */
export class AgentSession {
  readonly #messages: object[];
  readonly #tools: object[];

  /** `steps` is the number of requests: the last one is as long as that of a new session. */
  constructor(
    readonly asked: AgentBody,
    readonly session: string,
    steps: number,
  ) {
    this.#tools = toolsOf(session);
    this.#messages = historyOf(session, MESSAGES - 2 * (steps - 1));
  }

  get body(): string {
    return JSON.stringify({ ...this.asked, messages: this.#messages, tools: this.#tools });
  }

  /** Adds the answer, as its events give it, and what an agent sends next. */
  add(events: string): void {
    const { content, calls } = answerOf(events);
    const next = this.session + fileText(840, this.#messages.length);
    const called = calls.length > 0 && { tool_calls: calls };
    this.#messages.push({ role: 'assistant', content, ...called });
    for (const { id } of calls) this.#messages.push({ role: 'tool', tool_call_id: id, content: next });
    if (!called) this.#messages.push({ role: 'user', content: next });
  }
}

interface AnsweredCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

interface AnswerDelta {
  content?: string | null;
  tool_calls?: { index: number; id?: string; function?: { name?: string; arguments?: string } }[];
}

function answerOf(events: string): { content: string; calls: AnsweredCall[] } {
  let content = '';
  const calls: AnsweredCall[] = [];
  for (const line of events.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { choices } = JSON.parse(line.slice(6)) as { choices: { delta: AnswerDelta }[] };
    const { content: more, tool_calls: parts = [] } = choices[0]?.delta ?? {};
    content += more ?? '';
    for (const { index, id = '', function: { name = '', arguments: text = '' } = {} } of parts) {
      calls[index] ??= { id, type: 'function', function: { name, arguments: '' } };
      calls[index].function.arguments += text;
    }
  }
  return { content, calls };
}
