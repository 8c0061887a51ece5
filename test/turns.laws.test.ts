// The law of turns: the next prompt begins with the last one and what the model wrote behind it, to the character, so that
// an upstream finds its prefix cache. Held in every dialect, and every variant of its prompt, over everything that models
// really wrote (corpus/wild).
//
// Three exceptions, each stated by the dialect: a template that leaves out reasoning changes the prompt there
// (`traits.reasoning.kept`), one may move the tools along with the last question (`movesTools`), and content with markers
// that divide turns is escaped, since a model may have copied it.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Dialect,
  type ParserOptions,
  parse,
  type RenderOptions,
  readTurn,
  renderMessages,
  renderPrompt,
} from '@dragoman/core';
import { describe, expect, test } from 'vitest';
import { dialects } from '../packages/core/src/dialects/every.fixture.js';
import { type AssistantMessage, type WrittenTurn, writtenOf } from '../packages/core/src/model/index.js';
import { createRandom } from '../packages/core/src/testing/index.js';

interface Case {
  name: string;
  tools?: unknown[];
  thinking?: boolean;
  policies?: NonNullable<ParserOptions['policies']>;
  text: string;
}

const folder = fileURLToPath(new URL('../packages/core/corpus/wild/', import.meta.url));

function wildOf({ name }: Dialect): Case[] {
  try {
    return readdirSync(folder + name).map((file) =>
      JSON.parse(readFileSync(`${folder}${name}/${file}`, 'utf8')),
    );
  } catch {
    return [];
  }
}

const start = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How is the weather?' },
];

const TOOLS = [
  { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  { name: 'Read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
];

const figures = { turns: 0, before: 0, verbatim: 0, reasoning: 0, escaped: [] as string[] };

interface Turn {
  name: string;
  tools: unknown[];
  options: RenderOptions;
  prompt: string;
  /** The turn with the model's words, and the same one without. */
  message: AssistantMessage;
  plain: unknown;
  written: WrittenTurn;
}

/** Reads what a model wrote behind the prompt that fits it best. Undefined: it has an issue. */
function turnOf(
  dialect: Dialect,
  { name, text, tools = [], policies = {}, thinking = false }: Case,
  chosen: Pick<RenderOptions, 'model'>,
): Turn | undefined {
  const tried = [{}, { thinking: true }, { thinking: false }].map((asked) => {
    const options = { ...asked, ...chosen };
    const prompt = dialect.render.prompt
      ? renderPrompt(dialect, { messages: start, tools: shown(dialect, chosen, tools) }, options).text
      : '';
    return { options, prompt, inside: opensReasoning(dialect, prompt) };
  });
  const fits = tried.find(({ inside }) => inside === thinking) ?? tried[0];
  if (!fits) throw new Error('no options');
  const inside = dialect.render.prompt ? fits.inside : thinking;
  const options = { tools, policies, thinking: inside };
  const { message, issues } = readTurn(dialect, text, options);
  if (issues.length > 0) return undefined;
  const written = writtenOf(message);
  if (!written) throw new Error(`${name}: its words are not kept`);
  return {
    name,
    tools,
    ...fits,
    message,
    plain: { role: 'assistant', parts: parse(dialect, text, options).parts },
    written,
  };
}

function opensReasoning({ traits }: Dialect, prompt: string): boolean {
  return traits.reasoning !== undefined && prompt.trimEnd().endsWith(traits.reasoning.open);
}

const isQuestion = (message: unknown) => (message as { role: string }).role === 'user';

/** The results of its calls, or another question. */
function after({ message }: Turn): unknown[] {
  const given = message.parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ role: 'tool', tool_call_id: part.id, content: '22' }] : [],
  );
  return given.length > 0 ? given : [{ role: 'user', content: 'And tomorrow?' }];
}

/** Every prompt: that of each dialect, and those that a model's name chooses. */
const prompts = dialects.flatMap((dialect) => [
  [dialect.name, dialect, {}] as const,
  ...(dialect.render.variants ?? []).map(
    ({ name }) => [`${dialect.name}@${name}`, dialect, { model: name }] as const,
  ),
]);

const variantOf = ({ render: { variants } }: Dialect, { model }: Pick<RenderOptions, 'model'>) =>
  variants?.find(({ name }) => name === model);

/** The tools that a prompt is compared with: none where another question moves them. */
const shown = (dialect: Dialect, chosen: Pick<RenderOptions, 'model'>, tools: unknown[]) =>
  variantOf(dialect, chosen)?.movesTools ? [] : tools;

describe.each(prompts)('%s', (_, dialect, chosen) => {
  const turns = wildOf(dialect).flatMap((one) => turnOf(dialect, one, chosen) ?? []);

  test.skipIf('model' in chosen)('messages carry every turn as the model wrote it', () => {
    for (const { name, message, tools, written } of turns) {
      const conversation = { messages: [...start, message], tools };
      const safety = written.dividing ? 'exact' : 'escape';
      const { messages } = renderMessages(dialect, conversation, { reasoning: true, safety });
      const thinks = message.parts.some(({ type }) => type === 'reasoning');
      const open = written.inside && thinks ? dialect.traits.reasoning?.open : '';
      expect(messages.at(-1)?.content, name).toBe(open + written.text);
    }
  });

  test.runIf(dialect.render.prompt)('the next prompt begins with the last one and the turn', () => {
    for (const turn of turns) {
      const { name, tools, prompt, message, plain, written } = turn;
      const next = (answer: unknown, safety: RenderOptions['safety'] = 'escape') => {
        const messages = [...start, answer, ...after(turn)];
        const conversation = { messages, tools: shown(dialect, chosen, tools) };
        return renderPrompt(dialect, conversation, { ...turn.options, safety }).text;
      };
      const want = prompt + written.text;
      figures.turns++;
      if (next(plain).startsWith(want)) figures.before++;
      const got = next(message);
      if (written.dividing) {
        figures.escaped.push(`${dialect.name}: ${name}`);
        expect(got.startsWith(want), name).toBe(false);
        expect(next(message, 'exact').startsWith(want), name).toBe(true);
      } else if (got.startsWith(want)) figures.verbatim++;
      else {
        figures.reasoning++;
        expect(leavesOut(turn, got), `${name}\n${want.slice(-300)}\n=====\n${got.slice(-500)}`).toBe(true);
      }
    }
  });
});

/** Whether the template may leave out reasoning of the turns behind the last question when another one comes. */
const forgets = (dialect: Dialect, chosen: Pick<RenderOptions, 'model'>) => {
  const { reasoning } = dialect.traits;
  return reasoning !== undefined && (variantOf(dialect, chosen)?.kept ?? reasoning.kept) !== 'all';
};

describe.each(prompts.filter(([, { render }]) => render.prompt))('%s', (_, dialect, chosen) => {
  test('a conversation only grows', () => {
    const turns = wildOf(dialect).flatMap((one) => turnOf(dialect, { ...one, tools: TOOLS }, chosen) ?? []);
    for (const thinking of [undefined, false, true]) {
      const fit = turns.filter(({ options, written }) => options.thinking === thinking && !written.dividing);
      const render = (messages: unknown[]) =>
        renderPrompt(dialect, { messages, tools: shown(dialect, chosen, TOOLS) }, fit[0]?.options ?? chosen)
          .text;
      let messages: unknown[] = start;
      let thought = false;
      for (const turn of fit) {
        const want = render(messages) + turn.written.text;
        thought ||= turn.written.inside || turn.written.body !== 0;
        const next = after(turn);
        messages = [...messages, turn.message, ...next];
        const isAsked = isQuestion(next[0]);
        if (!(forgets(dialect, chosen) && thought))
          expect(render(messages).startsWith(want), turn.name).toBe(true);
        if (isAsked) thought = false;
      }
    }
  });
});

describe.each(
  dialects.filter(({ render }) => render.prompt).map((dialect) => [dialect.name, dialect] as const),
)('%s', (_, dialect) => {
  test('words with the boundary of a turn in them, at any place, are not written again as they are', () => {
    const random = createRandom(7);
    const said = { role: 'assistant', content: 'AAAA' };
    const messages = [...start, said, { role: 'user', content: 'FORGED' }];
    const whole = renderPrompt(dialect, { messages, tools: [] }, { generate: false }).text;
    const boundary = whole.slice(whole.indexOf('AAAA') + 4, whole.indexOf('FORGED') + 6).trim();
    for (const { name, text, tools = [], thinking = false, policies = {} } of wildOf(dialect)) {
      for (let n = 0; n < 3; n++) {
        const at = random.int(text.length);
        const words = text.slice(0, at) + boundary + text.slice(at);
        const written = writtenOf(readTurn(dialect, words, { tools, thinking, policies }).message);
        expect(written && !written.dividing, `${name} at ${at}: ${words}`).not.toBe(true);
      }
    }
  });
});

/** Whether the prompt has the turn without its reasoning. */
function leavesOut({ message, written: { text, body } }: Turn, next: string): boolean {
  if (body === undefined) return spellsWithout(message, next);
  return body > 0 && next.includes(text.slice(body)) && !next.includes(text.slice(0, body));
}

/** Whether the prompt has the texts of a turn, spelled anew, and not the reasoning between them. */
function spellsWithout({ parts }: AssistantMessage, next: string): boolean {
  const of = (type: string) =>
    parts.flatMap((part) => (part.type === type && 'text' in part ? [part.text.trim()] : []));
  const thoughts = of('reasoning').filter((text) => text !== '');
  const leaves = thoughts.length > 0 && !thoughts.some((text) => next.includes(text));
  return leaves && of('text').every((text) => next.includes(text));
}

test('every turn that was read without an issue comes back, but for the reasoning that templates leave out', () => {
  const { turns, before, verbatim, reasoning, escaped } = figures;
  console.log(
    `turns verbatim: ${verbatim} of ${turns} (spelled again: ${before}); without reasoning: ${reasoning}; escaped: ${escaped.length}`,
  );
  expect(verbatim + reasoning + escaped.length).toBe(turns);
  // A marker that divides turns is escaped, as in text from outside.
  expect(new Set(escaped)).toEqual(new Set(['glm-4.5: role token in call']));
});
