// The suite: 60 or 600 requests, drawn from a seed. Two thirds are exact: they spell the call out, so that they test the
// endpoint. One third is judgement: whether a call is right at all, which also tests the model.

import { createRandom } from '@dragoman/core/internal';
import { ask, type Probe, user, type WantedCall } from '../probe.js';
import { allTools, echo } from '../tools.js';
import { exactPrompt, type Language } from './exact-prompt.js';
import { suiteWords } from './words.js';

export const SUITE_SIZES = { quick: 60, full: 600 } as const;

export type SuiteName = keyof typeof SUITE_SIZES;

type Random = ReturnType<typeof createRandom>;

export function drawSuite(size: number, seed: number): Probe[] {
  const random = createRandom(seed);
  return Array.from({ length: size }, (_, at) => {
    const language: Language = at % 2 === 0 ? 'en' : 'zh';
    const kind = kinds[Math.floor(at / 2) % kinds.length] as Kind;
    return { ...kind(random, language, at % 4 < 2), id: `suite.${at + 1}-${language}` };
  });
}

type Kind = (random: Random, language: Language, stream: boolean) => Omit<Probe, 'id'>;

const exactCase = (calls: WantedCall[], language: Language, stream: boolean): Omit<Probe, 'id'> => ({
  check: 'calls-tool',
  suite: 'exact',
  label: true,
  wants: calls,
  steps: [ask({ messages: [user(exactPrompt(calls, language))], tools: allTools, stream })],
});

const judgementCase = (text: string, label: boolean, stream: boolean): Omit<Probe, 'id'> => ({
  check: 'calls-tool',
  suite: 'judgement',
  label,
  steps: [ask({ messages: [user(text)], tools: allTools, stream })],
});

const echoCase: Kind = (random, language, stream) => {
  const text = random.pick(suiteWords[language].texts);
  return exactCase([{ name: echo.name, input: { text } }], language, stream);
};

const weatherCase: Kind = (random, language, stream) => {
  const input = {
    city: random.pick(suiteWords[language].cities),
    days: 1 + random.int(14),
    unit: random.pick(['celsius', 'fahrenheit']),
  };
  return exactCase([{ name: 'get_weather', input }], language, stream);
};

const bookingCase: Kind = (random, language, stream) => {
  const words = suiteWords[language];
  const input = {
    restaurant: random.pick(words.restaurants),
    guests: 1 + random.int(12),
    outdoors: random.chance(0.5),
    dishes: [random.pick(words.dishes), random.pick(words.dishes)],
    contact: { name: random.pick(words.people), phone: `00${random.int(1_000_000)}` },
  };
  return exactCase([{ name: 'book_table', input }], language, stream);
};

const moneyCase: Kind = (random, language, stream) => {
  const input = {
    amount: (1 + random.int(100_000)) / 8,
    from: random.pick(['EUR', 'USD']),
    to: random.pick(['CNY', 'JPY']),
  };
  return exactCase([{ name: 'convert_money', input }], language, stream);
};

const needsTool: Kind = (random, language, stream) => {
  const words = suiteWords[language];
  const text = random
    .pick(words.needsTool)
    .replace('{city}', random.pick(words.cities))
    .replace('{amount}', String(10 + random.int(990)));
  return judgementCase(text, true, stream);
};

const needsNone: Kind = (random, language, stream) =>
  judgementCase(random.pick(suiteWords[language].needsNone), false, stream);

const kinds: readonly Kind[] = [echoCase, weatherCase, needsTool, bookingCase, moneyCase, needsNone];
