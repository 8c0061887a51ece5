import { acceptConversation, type Conversation, type ExactValue, findDialect } from '@dragoman/core/internal';
import { expect, it } from 'vitest';
import { timesTheCost } from '../../../../test/cost.js';
import type { Form } from '../forms/form.js';
import { createMessagesForm } from './messages-form.js';

const transcript = (conversation: Conversation) => ({ conversation, rest: [] });

const weather = {
  name: 'get_weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};

const asked = acceptConversation({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather in Beijing?' },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [
        { id: 'w1', function: { name: 'get_weather', arguments: '{"location": "Beijing"}' } },
        { id: 'w2', function: { name: 'get_weather', arguments: '{"location": "Paris"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'w1', content: '22' },
    { role: 'tool', tool_call_id: 'w2', content: '18' },
    { role: 'assistant', content: 'Beijing 22, Paris 18.' },
  ],
  tools: [weather],
});

interface Line {
  role: string;
  content: string;
}

function linesOf(form: Form, conversation: Conversation): { messages: Line[]; tools?: ExactValue } {
  return form.write(transcript(conversation)).row as never;
}

it.each(['hermes'])('Messages in %s take time that grows with their length alone', (name) => {
  const form = createMessagesForm(findDialect(name));
  const reading = (turns: number) => {
    const messages = [...Array(turns).keys()].flatMap(() => asked.messages.slice(1));
    const row = linesOf(form, { ...asked, messages });
    return () => form.read(row as never);
  };
  expect(timesTheCost(reading(1600), reading(400), { limit: 12, inARow: 4 })).toBeLessThan(12);
});
