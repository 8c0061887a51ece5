// Fills values into a case: `{city}` becomes a city of its language. A text that is nothing else becomes the value itself,
// which may be a number.

import type { createRandom } from '@dragoman/core/internal';
import type { Language } from './exact-prompt.js';
import type { SuiteFiles } from './suite-files.js';

export type Random = ReturnType<typeof createRandom>;

const PLACE = /\{([a-z_]{1,40})\}/g;

export function fillValues(value: unknown, random: Random, language: Language, files: SuiteFiles): unknown {
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string') return fillText(one, random, language, files);
    if (Array.isArray(one)) return one.map(fill);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(value);
}

function fillText(text: string, random: Random, language: Language, { values }: SuiteFiles): unknown {
  const drawn = (name: string) => {
    const list = values.find((one) => one.name === name && (one.language ?? language) === language);
    return list && random.pick(list.values);
  };
  const [whole, name = ''] = /^\{([a-z_]{1,40})\}$/.exec(text) ?? [];
  if (whole !== undefined) return drawn(name) ?? text;
  return text.replace(PLACE, (place, inner: string) => String(drawn(inner) ?? place));
}
