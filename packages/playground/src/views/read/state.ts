// The state of Read from links and other views. It is validated, since anyone can write a link.

import type { ReadContext } from '../../reading/editor-context.js';
import type { ReadState } from '../../view.js';
import { type Example, firstExample } from './examples.js';

/** What is read: a text, what belongs to it, and the ends of its pieces where they are known. */
export interface ReadDocument {
  text: string;
  context: ReadContext;
  ends: readonly number[];
  growing: boolean;
}

export function fromExample({ text, dialect, tools, thinking }: Example): ReadDocument {
  const context = { dialect, tools: JSON.stringify(tools, null, 2), thinking, example: true };
  return { text, context, ends: [], growing: false };
}

/** Gives the document of a link; the first example if the link has none that is valid. */
export function fromLink(state: unknown, names: readonly string[]): ReadDocument & { at?: number } {
  if (typeof state !== 'object' || state === null) return fromExample(firstExample);
  const { text, dialect, tools, thinking, at, ends, growing } = state as Partial<
    Record<keyof ReadState, unknown>
  >;
  return {
    text: typeof text === 'string' ? text : '',
    context: {
      dialect: names.find((name) => name === dialect) ?? 'auto',
      tools: typeof tools === 'string' ? tools : '',
      thinking: thinking === true,
      example: false,
    },
    ends: isEnds(ends) ? ends : [],
    growing: growing === true,
    ...(typeof at === 'number' && Number.isInteger(at) && at >= 0 && { at }),
  };
}

export function toLink({ text, context, ends }: ReadDocument, at?: number): ReadState {
  const { dialect, tools, thinking } = context;
  return {
    text,
    dialect,
    tools,
    ...(thinking && { thinking }),
    ...(ends.length > 0 && { ends: [...ends] }),
    ...(at !== undefined && { at }),
  };
}

function isEnds(value: unknown): value is number[] {
  if (!Array.isArray(value)) return false;
  return value.every((end, at) => Number.isInteger(end) && end > (at === 0 ? -1 : value[at - 1]));
}
