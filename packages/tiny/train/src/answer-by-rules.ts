// Lets the rules of the demo answer the frozen test: node answer-by-rules.js <answers> [every nth question]
// They read messages, so all dialects are asked in messages.

import { writeFileSync } from 'node:fs';
import { dialects, renderMessages } from '@dragoman/core';
import { createDemoUpstream } from '@dragoman/demo';
import { type Question, questionsOf } from './frozen-test.js';

const [file = 'answers.json', every = '1'] = process.argv.slice(2);
const demo = createDemoUpstream({ delay: 0, pieces: 10_000 });
const answers: Record<string, string> = {};
for (const dialect of dialects)
  for (const question of questionsOf(dialect, (_, place) => place % Number(every) === 0))
    answers[question.id] = await answer(question);
writeFileSync(file, JSON.stringify(answers));
console.log(`${Object.keys(answers).length} answers`);

async function answer({ dialect, sample: { tools, messages } }: Question): Promise<string> {
  const rendered = renderMessages(dialect, { tools, messages }, { closers: true });
  const conversation = {
    tools: [],
    messages: rendered.messages.map(({ role, content }) => ({
      role,
      parts: [{ type: 'text' as const, text: content }],
    })),
  };
  let text = '';
  const request = { conversation, settings: {} } as unknown as Parameters<typeof demo.ask>[0];
  for await (const event of demo.ask(request, { signal: new AbortController().signal }))
    if (event.type === 'text-delta') text += event.text;
  return text;
}
