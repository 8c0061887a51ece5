import { type Conversation, dialects, findDialect, type Message } from '@dragoman/core/internal';
import { describe, expect, it } from 'vitest';
import { createPromptForm } from '../text/prompt-form.js';
import { maskKinds, type TrainingOptions } from './training.js';

const conversation: Conversation = {
  messages: [
    { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
    {
      role: 'assistant',
      parts: [{ type: 'tool-call', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } }],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c1', name: 'get_weather', output: 'rain' }],
    },
    { role: 'assistant', parts: [{ type: 'text', text: 'It rains.' }] },
  ],
  tools: [{ name: 'get_weather', parameters: { type: 'object', properties: {} } }],
  toolChoice: 'auto',
};

interface Row {
  prompt: string;
  completion: string;
  mask: { kind: string; start: number; end: number }[];
  prefix: unknown;
}

function rowsOf(dialect: string, training: TrainingOptions): Row[] {
  const { row, more = [] } = createPromptForm(findDialect(dialect), { training }).write({
    conversation,
    rest: [],
  });
  return [row, ...more] as unknown as Row[];
}

/** Gives the ends that the mask of a row has. */
const endsOf = ({ prompt, completion = '', mask }: Row) =>
  mask.filter(({ kind }) => kind === 'end').map(({ start, end }) => (prompt + completion).slice(start, end));

/** Gives the messages without the ids of calls, which no prompt of GLM has, and the text of arguments. */
const withoutIds = (messages: readonly Message[]) =>
  JSON.parse(JSON.stringify(messages, (key, value) => (/^(id|callId|raw)$/.test(key) ? undefined : value)));

const kept = maskKinds.filter((kind) => kind !== 'end');

describe.each(['glm-4.5', 'glm-4.7'])('the end of answers in %s', (dialect) => {
  it('is the token of the next turn, in samples of turns and in whole rows', () => {
    const samples = rowsOf(dialect, { perTurn: true, mask: maskKinds });
    expect(samples.map(endsOf)).toEqual([['<|observation|>'], ['<|user|>']]);
    expect(samples[0]?.completion).toMatch(/<\/tool_call><\|observation\|>$/);
    expect(samples[1]?.completion).toMatch(/It rains\.<\|user\|>$/);
    expect(rowsOf(dialect, { mask: maskKinds }).map(endsOf)).toEqual([['<|observation|>', '<|user|>']]);
    expect(rowsOf(dialect, { mask: maskKinds, train: 'last' }).map(endsOf)).toEqual([['<|user|>']]);
  });

  it('is in no mask that leaves it out', () => {
    const samples = rowsOf(dialect, { perTurn: true, mask: kept });
    expect(samples.flatMap(endsOf)).toEqual([]);
    expect(samples[1]?.completion).toMatch(/<\|user\|>$/);
  });

  it('is not added to a whole row that does not learn it', () => {
    const training: TrainingOptions[] = [
      { mask: kept },
      { mask: maskKinds, train: 1 },
      { checkPrefix: true },
    ];
    for (const options of training) expect(rowsOf(dialect, options)[0]?.prompt).toMatch(/It rains\.$/);
  });

  it.each([
    ['a text', conversation.messages, '<|user|>'],
    ['calls', conversation.messages.slice(0, 2), '<|observation|>'],
  ] as [string, Message[], string][])('is not read back as a turn behind %s', (_, messages, token) => {
    const form = createPromptForm(findDialect(dialect), { training: { mask: maskKinds } });
    const written = form.write({ conversation: { ...conversation, messages }, rest: [] });
    expect((written.row as unknown as Row).prompt.endsWith(token)).toBe(true);
    const read = form.read(written.row);
    expect(withoutIds(read.conversation.messages)).toEqual(withoutIds(messages));
    expect(read.notes).toEqual([]);
    expect((form.write(read).row as unknown as Row).prompt).toBe((written.row as unknown as Row).prompt);
  });
});

describe('the end of the last answer', () => {
  it('leaves prefixes whole where it is what the next turn begins with', () => {
    const [sample] = rowsOf('glm-4.5', { perTurn: true, checkPrefix: true });
    expect(sample?.prefix).toEqual({ whole: true, breaks: [] });
  });

  it('is a stop string of its dialect where the template writes none', () => {
    const own = dialects.filter(({ render }) => render.lastEnd);
    expect(own.map(({ name }) => name)).toEqual(['glm-4.5', 'glm-4.7', 'apertus', 'solar-open']);
    for (const { render } of own)
      for (const token of render.lastEnd ?? []) expect(render.stop).toContain(token);
  });

  it('takes the place of what the template of Solar Open ends a message with', () => {
    expect(rowsOf('solar-open', { mask: maskKinds })[0]?.prompt).toMatch(/It rains\.<\|flush\|>$/);
    expect(rowsOf('solar-open', { perTurn: true })[1]?.completion).toMatch(/It rains\.<\|flush\|>$/);
  });

  it('is the closer of calls in Apertus', () => {
    const [calls, text] = rowsOf('apertus', { perTurn: true });
    expect(calls?.completion).toMatch(/<\|tools_suffix\|>$/);
    expect(text?.completion).toMatch(/It rains\.<\|assistant_end\|>$/);
  });
});
