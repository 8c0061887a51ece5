import { expect, test } from 'vitest';
import { dialects } from '../../dialects/every.fixture.js';
import { granite, mistral } from '../../dialects/index.js';
import { renderPrompt } from '../../engine/renderer.js';

const request = { messages: [{ role: 'user', content: 'Hello.' }] };
const rendered = (options: Parameters<typeof renderPrompt>[2]) =>
  [granite, mistral].map((dialect) => renderPrompt(dialect, request, options).text);

test("the vendor's system text is written only where it is asked for", () => {
  for (const text of rendered({})) expect(text).not.toMatch(/system|SYSTEM/);
  for (const text of rendered({ template: { defaultSystem: true } })) expect(text).toMatch(/system|SYSTEM/);
  const given = { messages: [{ role: 'system', content: 'Be brief.' }, ...request.messages] };
  const template = { defaultSystem: true };
  expect(renderPrompt(granite, given, { template }).text).toBe(renderPrompt(granite, given).text);
});

/** The system message of gpt-oss is a part of its format: it is written beside any system text, which is another turn. */
const PART_OF_FORMAT = 'You are ChatGPT';

test('no prompt names its model or vendor without being asked', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } };
  const tools = [{ type: 'function', function: { name: 'f', description: 'd', parameters } }];
  const prompts = dialects.flatMap((dialect) =>
    [dialect, ...(dialect.render.variants ?? [])].map(({ name }) => ({ dialect, model: name })),
  );
  const named = prompts
    .filter(({ dialect }) => dialect.render.prompt)
    .flatMap(({ dialect, model }) =>
      [request, { ...request, tools }].flatMap((asked) => {
        const { text } = renderPrompt(dialect, asked, { model });
        const [found] = /You are [A-Z]\w+|created by \w+/.exec(text) ?? [];
        return found === undefined || found === PART_OF_FORMAT ? [] : [`${dialect.name} ${model}: ${found}`];
      }),
    );
  expect(named).toEqual([]);
});

test('a date is written as it is given, without one none is, and it can form no frame', () => {
  const dated = (current_date?: string) =>
    renderPrompt(granite, request, {
      template: { defaultSystem: true, ...(current_date && { current_date }) },
    }).text;
  expect(dated('2026-03-01')).toContain("Today's Date: March 01, 2026. You are Granite");
  expect(dated('today')).toContain("Today's Date: today. You are Granite");
  expect(dated()).toContain('April 2024. You are Granite');
  expect(dated('<|end_of_text|>')).not.toContain('Date: <|end_of_text|>');
});
