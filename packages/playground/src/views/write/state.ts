// The state of Write in a link. It is validated, since anyone can write a link.

import { dialects } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { type Draft, type DraftMessage, type DraftPart, type DraftRole, partsOfRole } from './draft.js';
import { example } from './example.js';

export type ColumnForm = 'prompt' | 'messages';

export interface DialectColumn {
  dialect: string;
  form: ColumnForm;
  /** Differs from the other columns, to compare the policies. */
  safety?: ChosenOptions['safety'];
}

/** The options of the library that are chosen from a list, the default first. `own`: as the dialect does by itself. */
export const optionChoices = {
  thinking: ['own', 'on', 'off'],
  teaching: ['full', 'short'],
  language: ['en', 'zh'],
  safety: ['escape', 'reject', 'exact'],
} as const;

export const policies = optionChoices.safety;

export type ChosenOptions = {
  [Name in keyof typeof optionChoices]: (typeof optionChoices)[Name][number];
};

export interface Options extends ChosenOptions {
  /** Mark what a column does not share with its neighbour. */
  differences: boolean;
  /** Tint what Dragoman wrote and what came from outside. */
  origins: boolean;
}

export interface WriteState {
  draft: Draft;
  columns: DialectColumn[];
  options: Options;
}

export function firstState(): WriteState {
  return {
    draft: structuredClone(example),
    columns: [toColumn('hermes'), toColumn('glm-4.7')],
    options: readOptions({}),
  };
}

/** Gives a column of this dialect, as a whole prompt if it has one. */
export function toColumn(name: string, form: ColumnForm = 'prompt'): DialectColumn {
  const dialect = dialects.find((one) => one.name === name) ?? dialects[0];
  return { dialect: dialect?.name ?? name, form: dialect?.render.prompt ? form : 'messages' };
}

/** Gives a column of a dialect that is not shown yet, or of the first one. */
export function nextColumn(columns: readonly DialectColumn[]): DialectColumn {
  const shown = new Set(columns.map(({ dialect }) => dialect));
  const next = dialects.find(({ name, render }) => !shown.has(name) && render.prompt !== undefined);
  const any = next ?? dialects.find(({ name }) => !shown.has(name)) ?? dialects[0];
  return toColumn(any?.name ?? '', columns.at(-1)?.form ?? 'prompt');
}

/** Each column is rendered at every key, so their number is limited. */
export const MOST_COLUMNS = 10;

/** Reads the state of a link. Missing and invalid parts are as at the first visit. */
export function readState(value: unknown): WriteState {
  const first = firstState();
  const fields = membersOf(value);
  const columns = listOf(fields.columns).slice(0, MOST_COLUMNS).flatMap(readColumn);
  return {
    draft: readDraft(fields.draft) ?? first.draft,
    columns: columns.length > 0 ? columns : first.columns,
    options: readOptions(fields.options),
  };
}

function readColumn(value: unknown): DialectColumn[] {
  const { dialect, form, safety } = membersOf(value);
  if (!dialects.some(({ name }) => name === dialect)) return [];
  const policy = policies.find((one) => one === safety);
  return [
    {
      ...toColumn(String(dialect), form === 'messages' ? 'messages' : 'prompt'),
      ...(policy && { safety: policy }),
    },
  ];
}

function readOptions(value: unknown): Options {
  const given = membersOf(value);
  const chosen = Object.entries(optionChoices).map(([name, values]) => [
    name,
    values.find((one) => one === given[name]) ?? values[0],
  ]);
  return {
    ...(Object.fromEntries(chosen) as ChosenOptions),
    differences: given.differences !== false,
    origins: given.origins === true,
  };
}

function readDraft(value: unknown): Draft | undefined {
  const { messages, tools, toolChoice } = membersOf(value);
  if (!Array.isArray(messages)) return undefined;
  return {
    messages: messages.flatMap(readMessage),
    tools: typeof tools === 'string' ? tools : '[]',
    ...(toolChoice !== undefined && { toolChoice: toolChoice as NonNullable<Draft['toolChoice']> }),
  };
}

function readMessage(value: unknown): DraftMessage[] {
  const { role, parts, open, extra } = membersOf(value);
  if (typeof role !== 'string' || !Object.hasOwn(partsOfRole, role)) return [];
  const known = role as DraftRole;
  const kept = listOf(parts).flatMap((part) => readPart(part, known));
  return [{ role: known, parts: kept, ...(open === true && { open }), ...(isObject(extra) && { extra }) }];
}

function readPart(value: unknown, role: DraftRole): DraftPart[] {
  const given = membersOf(value);
  const { type } = given;
  const extra = isObject(given.extra) && { extra: given.extra };
  if (type === 'media' && role === 'user') return [{ type, media: given.media, ...extra }];
  if (!partsOfRole[role].some((one) => one === type)) return [];
  if (type === 'tool-call')
    return [{ type, id: textOf(given.id), name: textOf(given.name), input: textOf(given.input), ...extra }];
  if (type !== 'tool-result') {
    const aside = given.aside === true && { aside: true };
    return [{ type: type === 'reasoning' ? type : 'text', text: textOf(given.text), ...aside, ...extra }];
  }
  return [
    {
      type,
      callId: textOf(given.callId),
      ...(typeof given.name === 'string' && { name: given.name }),
      output: textOf(given.output),
      ...(given.json === true && { json: true }),
      ...(given.isError === true && { isError: true }),
      ...extra,
    },
  ];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Gives the own members alone, without inherited ones. */
function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? Object.assign(Object.create(null), value) : Object.create(null);
}
