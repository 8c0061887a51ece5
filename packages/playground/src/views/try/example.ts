// The form at the first visit, and the example tools: they run in the page, and their results depend on what they are
// given.

import { isObject } from '@dragoman/core/internal';

export const exampleQuestion = 'What is the weather in Beijing and in Paris?';

const city = { type: 'string', description: 'The name of the city.' };

const declared = (name: string, description: string, properties: object) => ({
  type: 'function',
  function: { name, description, parameters: { type: 'object', properties, required: ['city'] } },
});

export const exampleTools = JSON.stringify(
  [
    declared('get_weather', 'The weather in a city.', {
      city,
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    }),
    declared('get_time', 'The time of day in a city.', { city }),
  ],
  null,
  2,
);

type Given = Record<string, unknown>;

const examples: Record<string, (given: Given) => string> = {
  get_weather: ({ city, unit }) => weatherIn(textOf(city), unit === 'fahrenheit'),
  get_time: ({ city }) => timeIn(textOf(city), new Date()),
};

export const isExample = (name: string): boolean => Object.hasOwn(examples, name);

/**
 * Gives the initial text of a result, which the user may change: what the example tool gives for these arguments, or
 * for any other tool the arguments it was given.
 */
export function exampleResult(name: string, json: string): string {
  const given = argumentsOf(json);
  return isExample(name) ? (examples[name]?.(given) ?? '') : JSON.stringify({ ok: true, given });
}

function argumentsOf(json: string): Given {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

const skies = ['sunny', 'cloudy', 'light rain', 'showers', 'fog', 'windy'] as const;

/** Made up, but always the same for one city. */
function weatherIn(city: string, inFahrenheit: boolean): string {
  if (city === '') return 'error: no city was given';
  const number = numberOf(city.toLowerCase());
  const celsius = (number % 30) - 2;
  const degrees = inFahrenheit
    ? `${Math.round(celsius * 1.8 + 32)} degrees Fahrenheit`
    : `${celsius} degrees Celsius`;
  return `${city}: ${skies[Math.floor(number / 30) % skies.length]}, ${degrees}`;
}

/** A number that depends on every character. */
function numberOf(text: string): number {
  let number = 7;
  for (const character of text) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return number;
}

/** Cities whose time zone has the name of another. */
const zonesOfOthers: Record<string, string> = {
  beijing: 'Asia/Shanghai',
  'san francisco': 'America/Los_Angeles',
  utrecht: 'Europe/Amsterdam',
};

export function timeIn(city: string, now: Date): string {
  if (city === '') return 'error: no city was given';
  const wanted = city.toLowerCase();
  const isIts = (zone: string) => zone.toLowerCase().split('/').at(-1)?.replaceAll('_', ' ') === wanted;
  const other = Object.hasOwn(zonesOfOthers, wanted) ? zonesOfOthers[wanted] : undefined;
  const timeZone = other ?? Intl.supportedValuesOf('timeZone').find(isIts);
  if (timeZone === undefined) return `error: no time zone is known for ${city}`;
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now);
  return `${city}: ${time} (${timeZone})`;
}
