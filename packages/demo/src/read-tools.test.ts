import { readdirSync, readFileSync } from 'node:fs';
import { acceptTools, renderMessages, renderPrompt, type Tool } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { nameOf, type Setting, settings, TAUGHT_ALIKE } from './demo.fixture.js';
import { readPrompt } from './read-prompt.js';

const corpus = new URL('../../core/corpus/conversations/', import.meta.url);
const conversations = readdirSync(corpus).map((name) => {
  const text = readFileSync(new URL(`${name}/conversation.json`, corpus), 'utf8');
  return { name, conversation: JSON.parse(text) as { tools: unknown; messages: unknown[] } };
});

function read({ dialect, takes, render }: Setting, conversation: unknown) {
  const request = { model: 'demo', settings: {}, stream: true };
  const nothing = { messages: [], tools: [], toolChoice: 'auto' as const };
  if (takes === 'prompt') {
    const prompt = renderPrompt(dialect, conversation, render).text;
    return readPrompt({ ...request, conversation: nothing, prompt });
  }
  const messages = renderMessages(dialect, conversation, render).messages.map(({ role, content }) => ({
    role: role === 'tool' ? ('user' as const) : role,
    parts: [{ type: 'text' as const, text: content }],
  }));
  return readPrompt({ ...request, conversation: { ...nothing, messages } });
}

/** What every form of a prompt says about a tool. */
function gist({ name, description = '', parameters }: Tool) {
  const schema = isObject(parameters) ? parameters : {};
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return { name, description: description.trim(), properties, required: schema.required ?? [] };
}

describe.each(settings.map((setting) => [nameOf(setting), setting] as const))(
  'a prompt in %s',
  (_, setting) => {
    it.each(conversations.map(({ name, conversation }) => [name, conversation] as const))(
      'gives its dialect and tools: %s',
      (_, conversation) => {
        const reading = read(setting, conversation);
        const { name } = setting.dialect;
        expect([name, TAUGHT_ALIKE[name]]).toContain(reading.dialect?.name);
        expect(reading.tools.map(gist)).toEqual(acceptTools(conversation.tools).map(gist));
      },
    );

    it('gives no dialect where none is taught', () => {
      const reading = read(setting, { messages: [{ role: 'user', content: 'Hi' }], tools: [] });
      expect(reading.dialect).toBeUndefined();
      expect(reading.turns.at(-1)).toEqual({ role: 'user', text: expect.stringContaining('Hi') });
    });
  },
);
