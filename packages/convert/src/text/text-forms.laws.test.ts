// Both forms that are text in a dialect, with every dialect. Every conversation of the corpus is said in every dialect:
// in the project's own in both forms, in those of the field in one of them, in turn.

import { readdirSync, readFileSync } from 'node:fs';
import {
  acceptConversation,
  type Conversation,
  type Dialect,
  dialects,
  type ExactValue,
  findDialect,
  resultTemplate,
} from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { isFullyTried, readPromptsOf } from '../../../core/src/dialects/every.fixture.js';

import { type Form, type Note, type Row, RowError } from '../forms/form.js';
import { writeJson } from '../quick/plain-json.js';
import { createMessagesForm } from './messages-form.js';
import { createPromptForm } from './prompt-form.js';

const corpus = new URL('../../../core/corpus/', import.meta.url);
const folder = new URL('conversations/', corpus);

const conversations = readdirSync(folder).map((name) => {
  const { about: _, ...conversation } = JSON.parse(
    readFileSync(new URL(`${name}/conversation.json`, folder), 'utf8'),
  );
  return { name, conversation: acceptConversation(conversation) };
});

const prompting = readPromptsOf;

interface Tried {
  name: string;
  form: Form;
  mayRefuse: boolean;
  said: typeof conversations;
}

const forms: Tried[] = dialects.flatMap((dialect) => {
  const isPrompt = prompting.includes(dialect);
  const isWhole = isFullyTried(dialect) || !isPrompt;
  const turn = (of: number) => conversations.filter((_, at) => isWhole || at % 2 === of);
  const messages = createMessagesForm(dialect);
  const mayRefuse = hasLooseResults(dialect);
  const tried = [{ name: `messages in ${dialect.name}`, form: messages, mayRefuse, said: turn(0) }];
  if (!isPrompt) return tried;
  const form = createPromptForm(dialect);
  return [...tried, { name: `prompts in ${dialect.name}`, form, mayRefuse: false, said: turn(1) }];
});

/** Nothing that no text could hold ends a result, so that some conversations cannot be said. */
function hasLooseResults(dialect: Dialect): boolean {
  const { close, each, isDivided } = resultTemplate(dialect);
  return !dialect.render.back?.results && ((close === '' && each[0]?.at(-1)?.json === false) || !isDivided);
}

function writeIfSayable(form: Form, conversation: Conversation, mayRefuse: boolean): Row | undefined {
  try {
    return form.write(transcript(conversation)).row;
  } catch (error) {
    if (!mayRefuse || !(error instanceof RowError)) throw error;
    expect(error.message).toMatch(/would say something else|cannot be told apart/);
    return undefined;
  }
}

const transcript = (conversation: Conversation) => ({ conversation, rest: [] });

describe.each(forms)('$name', ({ form, mayRefuse, said }) => {
  it('say again what they read of the corpus', () => {
    for (const { name, conversation } of said) {
      const row = writeIfSayable(form, conversation, mayRefuse);
      if (!row) continue;
      const back = form.read(row);
      const other = back.notes.filter(({ code }) => code === 'other-prompt');
      const again = form.write(back);
      expect([other, again.notes], name).toEqual([[], []]);
      // As text first, which is faster.
      if (writeJson(again.row) !== writeJson(row)) expect(again.row, name).toEqual(row);
    }
  });
});

interface Vector {
  name: string;
  prompt: string;
}

describe.each(['glm-4.5', 'glm-4.7', 'deepseek-v3.2', 'deepseek-v4'])('prompts of %s', (name) => {
  const file = new URL(`vectors/${name}-prompts.json`, corpus);
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Vector[] };
  const form = createPromptForm(findDialect(name));
  it.each(cases)('are read as the vendor writes them, and written so again: $name', ({ prompt }) => {
    const { notes, ...reading } = form.read({ prompt });
    expect(notes.filter(({ code }) => code === 'other-prompt')).toEqual([]);
    const again = form.write(reading);
    expect(again.row).toEqual({ prompt });
    expect(again.notes).toEqual([]);
  });
});

// --- what is refused, and what is noted ----------------------------------------------------------------

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

function refusal(read: () => unknown): RowError {
  try {
    read();
  } catch (error) {
    if (error instanceof RowError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const codes = (notes: readonly Note[]) => notes.map(({ code, path }) => `${code} ${path}`);

describe.each(dialects.map(({ name }) => name))('messages in %s', (name) => {
  const dialect = findDialect(name);
  const form = createMessagesForm(dialect);

  it('that teach in other words are refused, with what to do', () => {
    const row = linesOf(form, asked);
    const [first, ...others] = row.messages as [Line, ...Line[]];
    const cut = first.content.slice(0, -20);
    const reworded = first.content
      .replaceAll(' the ', ' a ')
      .replaceAll(' tools: ', ' my tools: ')
      .replaceAll(' may ', ' can ');
    for (const content of [cut, reworded]) {
      expect(content).not.toBe(first.content);
      const read = () => form.read({ ...row, messages: [{ ...first, content }, ...others] } as never);
      const { path, message } = refusal(read);
      expect(path).toBe('messages[0].content');
      expect(message).toContain('give the definitions as the member `tools`');
    }
  });

  it('with other tools than they teach are refused', () => {
    const row = linesOf(form, asked);
    const tools = [{ type: 'function', function: { ...weather, name: 'get_time' } }];
    expect(refusal(() => form.read({ ...row, tools } as never)).path).toBe('messages[0].content');
  });

  it('are read in the short form, and in Chinese where there is one', () => {
    for (const render of [
      { short: true },
      { language: 'zh' as const },
      { short: true, language: 'zh' as const },
    ]) {
      const row = createMessagesForm(dialect, { render }).write(transcript(asked)).row;
      const { conversation, notes } = form.read(row);
      expect(notes).toEqual([]);
      expect(conversation.messages[0]).toEqual(asked.messages[0]);
      expect(conversation.tools.map((tool) => tool.name)).toEqual(['get_weather']);
    }
  });

  it('have their tools read from the text where there is no member, or say that they cannot be', () => {
    const { row, notes } = createMessagesForm(dialect, { tools: false }).write(transcript(asked));
    expect(row).not.toHaveProperty('tools');
    if (!dialect.render.back?.tools) {
      expect(codes(notes)).toContain('tools tools[0]');
      expect(refusal(() => form.read(row)).message).toContain('from which tools cannot be read');
      return;
    }
    expect(codes(notes)).not.toContain('tools tools[0]');
    const [tool] = form.read(row).conversation.tools;
    expect(tool).toMatchObject(weather);
  });

  it('are read with calls that a model wrote in its own way, and say so', () => {
    const row = linesOf(form, asked);
    const messages = row.messages.map((line) =>
      line.role === 'assistant' ? { ...line, content: `${line.content}\n` } : line,
    );
    const { conversation, notes } = form.read({ ...row, messages } as never);
    const calls = conversation.messages[2]?.parts.filter((part) => part.type === 'tool-call');
    expect(calls?.map(({ input }) => input)).toEqual([{ location: 'Beijing' }, { location: 'Paris' }]);
    expect(codes(notes)).toContain('other-prompt messages[2].content');
  });
});

describe.each(prompting.map(({ name }) => name))('prompts in %s', (name) => {
  const form = createPromptForm(findDialect(name));
  const { prompt } = form.write(transcript(asked)).row as unknown as { prompt: string };

  it('say the conversation', () => {
    const { conversation } = form.read({ prompt });
    expect(conversation.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'assistant'],
    ]);
    expect(conversation.tools[0]).toMatchObject(weather);
  });

  it('may stand in another member', () => {
    const texts = createPromptForm(findDialect(name), { member: 'text' });
    expect(texts.write(transcript(asked)).row).toEqual({ text: prompt });
    expect(texts.read({ text: prompt, id: 7 }).rest).toEqual([['id', 7]]);
    expect(refusal(() => texts.read({ prompt })).path).toBe('text');
  });

  it('with other white space are read, and noted', () => {
    const { notes, conversation } = form.read({ prompt: `${prompt} ` });
    expect(conversation.messages).toHaveLength(5);
    expect(codes(notes)).toContain('other-prompt prompt');
  });

  it('of another template are refused, with the place', () => {
    const other = prompt.replace('get_weather', 'get weather');
    expect(refusal(() => form.read({ prompt: other })).message).toMatch(
      /the words that teach|the definitions of tools/,
    );
    const early = refusal(() => form.read({ prompt: `Hello.${prompt}` }));
    expect(early.message).toContain('at character 0');
    expect(early.path).toBe('prompt');
  });
});

it("A dialect that is no model's own has no prompts", () => {
  expect(() => createPromptForm(findDialect('alkaid'))).toThrow('use messages:alkaid');
});
