import { describe, expect, it } from 'vitest';
import { findDialect } from '../../dialects/index.js';
import type { Message, ModelRequest } from '../../model/index.js';
import type { Upstream } from '../upstream/upstream.js';
import { spellRequest } from './spell-request.js';

const tools = [{ name: 'get_time', parameters: { type: 'object', properties: {} } }];
const upstream = { takes: 'messages', media: true } as Upstream;

const turns: Message[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Time?' }] },
  { role: 'assistant', parts: [{ type: 'tool-call', id: '1', name: 'get_time', input: {} }] },
  { role: 'tool', parts: [{ type: 'tool-result', callId: '1', name: 'get_time', output: '12:00' }] },
];

/** What an endpoint is sent behind the system message, as roles and texts. */
function sent(dialect: string, messages: Message[]): [role: string, text: string, ...others: string[]][] {
  const request: ModelRequest = {
    model: 'm',
    conversation: { messages, tools, toolChoice: 'auto' },
    settings: {},
    stream: false,
  };
  const { conversation } = spellRequest(request, findDialect(dialect), upstream, {}, []).request;
  return conversation.messages.slice(1).map(({ role, parts }) => {
    const said = parts.map((part) => (part.type === 'text' ? part.text : part.type));
    return [role, said[0] ?? '', ...said.slice(1)];
  });
}

describe('a conversation for an endpoint that knows no tools', () => {
  it.each(['lfm2', 'functionary-v3.2', 'hermes', 'glm-4.5'])(
    '%s: has results from the user, and never two turns of the same role',
    (dialect) => {
      const more: Message[] = [
        { role: 'user', parts: [{ type: 'text', text: 'And in Rome?' }] },
        { role: 'assistant', parts: [{ type: 'text', text: 'The same.' }] },
      ];
      const messages = sent(dialect, [...turns, ...more]);
      expect(messages.map(([role]) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
      expect(messages[2]?.[1]).toMatch(/12:00[\s\S]*\n\nAnd in Rome\?$/);
      expect(sent(dialect, turns).map(([role]) => role)).toEqual(['user', 'assistant', 'user']);
    },
  );

  it('lfm2: keeps pictures that the user sends behind results', () => {
    const picture = { type: 'media' as const, media: { type: 'image_url' } };
    const alone: Message = { role: 'user', parts: [picture] };
    expect(sent('lfm2', [...turns, alone]).at(-1)).toEqual([
      'user',
      '<|tool_response_start|>12:00<|tool_response_end|>',
      'media',
    ]);
  });

  it('leaves two messages of a user, one behind the other, as the client sent them', () => {
    const twice: Message[] = ['One.', 'Two.'].map((text) => ({
      role: 'user',
      parts: [{ type: 'text', text }],
    }));
    expect(sent('lfm2', twice)).toEqual([
      ['user', 'One.'],
      ['user', 'Two.'],
    ]);
  });
});
