// Everyday tools with the requests that people make of them.

import { AGENT_REQUESTS } from './agent-requests.js';
import { EVERYDAY, type Everyday } from './everyday-requests.js';
import { SLOTS, type Slot } from './everyday-values.js';
import { wordings } from './more-wordings.js';
import type { Scalar } from './parameters.js';
import { type Arguments, type AskedTool, type Property, type Wish, wordingsFor } from './requests.js';
import type { Values } from './values.js';
import { listOf, type Split } from './word-lists.js';

interface Asked {
  text: string;
  slots: ReadonlySet<string>;
  /** Slots of a second call. */
  again: ReadonlySet<string>;
  implied: Readonly<Record<string, string>>;
}

type Lists = Readonly<Record<Split, readonly Asked[]>>;
type Prepared = Omit<Everyday, 'asked' | 'askedZh' | 'names' | 'slots'> &
  Readonly<Record<'names' | 'slots', readonly string[]>> &
  Readonly<Record<'asked' | 'askedZh', Lists>>;

const prepared = (row: Everyday): Prepared => ({
  ...row,
  names: listOf(row.names),
  slots: listOf(row.slots),
  asked: listsOf(row, 'en', row.asked),
  askedZh: listsOf(row, 'zh', row.askedZh),
});
const TESTED: readonly Prepared[] = EVERYDAY.map(prepared);
const TRAINED: readonly Prepared[] = [...TESTED, ...AGENT_REQUESTS.map(prepared)];

function listsOf({ names }: Everyday, language: 'en' | 'zh', lines: string): Lists {
  const all = lines.split('\n');
  const unseen = all.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const seen = all.filter((line) => !line.startsWith('!'));
  const every = wordings('everyday', listOf(names)[0] as string, language, seen, unseen);
  const list = (split: Split) => wordingsFor(every, split).map(asked);
  return { train: list('train'), tools: list('tools'), wording: list('wording') };
}

function asked(line: string): Asked {
  const [text = '', implication] = line.split(' => ');
  const implied = implication ? Object.fromEntries([implication.split(': ') as [string, string]]) : {};
  const slots = [...text.matchAll(/\{(\w+)(#2)?\}/g)];
  return {
    text,
    slots: new Set([...slots.map(([, name = '']) => name), ...Object.keys(implied)]),
    again: new Set(slots.filter(([, , second]) => second).map(([, name = '']) => name)),
    implied,
  };
}

/** Tools that answer the same requests: a conversation has one of them. */
const GROUPS = [
  ['calculator', 'add', 'multiply'],
  ['web_search', 'find_user', 'get_news'],
  ['search_flights', 'get_directions'],
];

export function everydayTool(values: Values, taken: Set<string>): AskedTool {
  const { random, split, language } = values;
  const row = random.pick(split === 'train' ? TRAINED : TESTED);
  const name = random.pick(row.names);
  const group = GROUPS.find((names) => names.includes(row.names[0] as string))?.[0] ?? row.en;
  if (taken.has(name) || taken.has(group)) return everydayTool(values, taken);
  taken.add(name).add(group);
  const lists = language === 'zh' ? row.askedZh : row.asked;
  const chosen = random.pick(lists[split]);
  const others = row.slots.filter((slot) => !chosen.slots.has(slot) && random.chance(0.4));
  const used = row.slots.filter((slot) => chosen.slots.has(slot));
  const names = namesOf(values, [...used, ...others]);
  const properties: Record<string, Property> = {};
  for (const slot of random.chance(0.85) ? [...used, ...others] : random.shuffle([...used, ...others]))
    properties[names.get(slot) as string] = property(values, SLOTS[slot] as Slot);
  const required = used.filter(() => random.chance(0.85)).map((slot) => names.get(slot) as string);
  const about = language === 'zh' && random.chance(0.65) ? row.zh : row.en;
  // The tool has no parameter for what other wordings say.
  const fitting = lists[split].filter(
    ({ slots }) =>
      [...slots].every((slot) => names.has(slot)) &&
      required.every((own) => [...slots].some((slot) => names.get(slot) === own)),
  );
  return {
    definition: {
      name,
      description: random.chance(0.95) ? random.pick(about.split('|')) + (random.chance(0.4) ? '.' : '') : '',
      parameters: { type: 'object', properties, ...(required.length > 0 && { required }) },
    },
    subject: row.en,
    required,
    wish: ({ fresh = false } = {}) => said(values, fresh ? random.pick(fitting) : chosen, names),
  };
}

/** Gives each slot another name. */
function namesOf({ random }: Values, slots: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const slot of slots) {
    const free = (SLOTS[slot] as Slot).names.filter((name) => ![...names.values()].includes(name));
    names.set(slot, random.chance(0.5) ? (free[0] as string) : random.pick(free));
  }
  return names;
}

function property({ random, language }: Values, { type, about, choices }: Slot): Property {
  const description = random.chance(0.8) ? about[language === 'zh' && random.chance(0.65) ? 'zh' : 'en'] : '';
  return {
    type,
    ...(description !== '' && { description }),
    ...(choices && random.chance(0.8) && { enum: [...choices] }),
  };
}

function said(
  values: Values,
  { text, slots, again, implied }: Asked,
  names: ReadonlyMap<string, string>,
): Wish {
  const input: Arguments = {};
  const second: Arguments = {};
  let spoken = values.split === 'train' && values.random.chance(0.35) ? blurred(values, text) : text;
  for (const slot of slots) {
    const name = names.get(slot) as string;
    const fixed: Scalar | undefined = implied[slot];
    if (fixed !== undefined) {
      input[name] = fixed;
      second[name] = fixed;
      continue;
    }
    const first = (SLOTS[slot] as Slot).make(values);
    const other = again.has(slot) ? different(values, SLOTS[slot] as Slot, first.value) : first;
    input[name] = first.value;
    second[name] = other.value;
    spoken = spoken.replace(`{${slot}}`, () => first.said).replace(`{${slot}#2}`, () => other.said);
  }
  return { text: spoken, whole: true, input, ...(again.size > 0 && { second }) };
}

/** Leaves out some words and puts in others, so that no single word decides. */
function blurred(values: Values, text: string): string {
  const { random, language } = values;
  const parts = language === 'zh' ? (text.match(/\{[^}]*\}|./gu) ?? []) : text.split(' ');
  const kept = parts.flatMap((part) => {
    if (part.includes('{') || part.includes('"')) return [part];
    const share = random.next();
    if (share < 0.13) return [];
    return share < 0.2 ? [part, values.fill(1, 1)] : [part];
  });
  return kept.join(language === 'zh' ? '' : ' ');
}

function different(values: Values, slot: Slot, value: Scalar): { value: Scalar; said: string } {
  for (;;) {
    const other = slot.make(values);
    if (other.value !== value) return other;
  }
}
