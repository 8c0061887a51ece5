import { readdirSync, readFileSync } from 'node:fs';
import { acceptTools, dialects, renderMessages, type Tool } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { nameOf, type Setting, settings, TAUGHT_ALIKE } from './demo.fixture.js';
import { readRequest } from './read-request.js';

const corpus = new URL('../../core/corpus/conversations/', import.meta.url);
const conversations = readdirSync(corpus).map((name) => {
  const text = readFileSync(new URL(`${name}/conversation.json`, corpus), 'utf8');
  return { name, conversation: JSON.parse(text) as { tools: unknown; messages: unknown[] } };
});

function read({ dialect, render }: Setting, conversation: unknown) {
  const { messages } = renderMessages(dialect, conversation, render);
  return readRequest(
    messages.map(({ role, content }) => ({ role, text: content })),
    dialects,
  );
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
        const request = read(setting, conversation);
        const { name } = setting.dialect;
        expect([name, TAUGHT_ALIKE[name]]).toContain(request.dialect?.name);
        expect(request.tools.map(gist)).toEqual(acceptTools(conversation.tools).map(gist));
      },
    );

    it('gives no dialect where none is taught', () => {
      const request = read(setting, { messages: [{ role: 'user', content: 'Hi' }], tools: [] });
      expect(request.dialect).toBeUndefined();
      expect(request.question).toContain('Hi');
    });
  },
);
