// The state of Write in a link. It is validated, since anyone can write a link.

import { dialects } from '@dragoman/core';
import { type Draft, type DraftMessage, type DraftPart, type DraftRole, partsOfRole } from './draft.js';
import { example } from './example.js';

export type ColumnForm = 'prompt' | 'messages';

export interface DialectColumn {
  dialect: string;
  form: ColumnForm;
}

export interface Options {
  /** `own`: as the dialect does by itself. */
  thinking: 'own' | 'on' | 'off';
  teaching: 'full' | 'short';
  language: 'en' | 'zh';
  safety: 'escape' | 'reject' | 'exact';
  /** Mark what a column does not share with its neighbour. */
  differences: boolean;
}

export interface WriteState {
  draft: Draft;
  columns: DialectColumn[];
  options: Options;
}

const defaultOptions: Options = {
  thinking: 'own',
  teaching: 'full',
  language: 'en',
  safety: 'escape',
  differences: true,
};

export function firstState(): WriteState {
  return {
    draft: structuredClone(example),
    columns: [toColumn('hermes'), toColumn('glm-4.7')],
    options: { ...defaultOptions },
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
  const { dialect, form } = membersOf(value);
  if (!dialects.some(({ name }) => name === dialect)) return [];
  return [toColumn(String(dialect), form === 'messages' ? 'messages' : 'prompt')];
}

function readOptions(value: unknown): Options {
  const said = membersOf(value);
  return {
    thinking: oneOf(said.thinking, ['own', 'on', 'off']),
    teaching: oneOf(said.teaching, ['full', 'short']),
    language: oneOf(said.language, ['en', 'zh']),
    safety: oneOf(said.safety, ['escape', 'reject', 'exact']),
    differences: said.differences !== false,
  };
}

function oneOf<T extends string>(value: unknown, words: readonly [T, ...T[]]): T {
  return words.find((word) => word === value) ?? words[0];
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
  const said = membersOf(value);
  const { type } = said;
  const extra = isObject(said.extra) && { extra: said.extra };
  if (type === 'media' && role === 'user') return [{ type, media: said.media, ...extra }];
  if (!partsOfRole[role].some((one) => one === type)) return [];
  if (type === 'tool-call')
    return [{ type, id: textOf(said.id), name: textOf(said.name), input: textOf(said.input), ...extra }];
  if (type !== 'tool-result') {
    const aside = said.aside === true && { aside: true };
    return [{ type: type === 'reasoning' ? type : 'text', text: textOf(said.text), ...aside, ...extra }];
  }
  return [
    {
      type,
      callId: textOf(said.callId),
      ...(typeof said.name === 'string' && { name: said.name }),
      output: textOf(said.output),
      ...(said.json === true && { json: true }),
      ...(said.isError === true && { isError: true }),
      ...extra,
    },
  ];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives the own members alone, without inherited ones. */
function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? Object.assign(Object.create(null), value) : Object.create(null);
}
