// Guesses the form of the rows from the first of them.

import type { Conversation } from '@dragoman/core/internal';
import { parseRow } from '../forms/convert.js';
import { type Form, RowError } from '../forms/form.js';
import { type FormChoice, forms } from '../forms/forms.js';
import { ConvertError } from './convert-error.js';
import { LINE_LIMIT } from './each-line.js';
import { openParquet } from './parquet/index.js';
import { planBlocks } from './plan.js';
import { linesOf, RangeReader } from './range-reader.js';
import type { Source } from './source.js';

const SPEECH: ReadonlySet<string> = new Set(['text', 'reasoning', 'tool-call', 'tool-result']);
const ROWS = 20;
const BYTES = 256 * 1024;

/** Undefined for an input without rows. Text in a dialect is never guessed: a few rows do not show which dialect it is. */
export async function guessForm(source: Source): Promise<FormChoice | undefined> {
  if (source.path === '-') throw new ConvertError('standard input is read once: say its form, --from <form>');
  const rows = (await firstRows(source)).filter((row) => row.trim() !== '').slice(0, ROWS);
  if (rows.length === 0) return undefined;
  if (rows[0]?.includes('\0'))
    throw new ConvertError(
      `${source.path} is no UTF-8; if it is UTF-16, write it as UTF-8 first: iconv -f UTF-16 -t UTF-8`,
      'input',
    );
  const known = forms.filter((form): form is Form => !('create' in form));
  const scores = known.map((form) => ({ form, ...scoreOf(form, rows) }));
  const [best] = scores.sort((a, b) => b.read - a.read || b.understood - a.understood || a.notes - b.notes);
  if (best && best.read > 0) return { form: best.form.name };
  throw new ConvertError(
    `${source.path}: its first rows have none of the forms ${known.map(({ name }) => name).join(', ')}; say which with --from <form>`,
    'input',
  );
}

/** Scores a form: how many rows it reads, how many parts it understands, and how many repairs and issues it notes. */
function scoreOf(form: Form, rows: readonly string[]): { read: number; understood: number; notes: number } {
  const score = { read: 0, understood: 0, notes: 0 };
  for (const row of rows) {
    try {
      const { conversation, rest, notes } = form.read(parseRow(row));
      score.read++;
      score.understood += speechOf(conversation) - rest.length;
      score.notes += notes.length;
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
    }
  }
  return score;
}

/** Counts the text, reasoning, calls and results. What a form does not understand, it keeps as media or extra. */
function speechOf({ messages }: Conversation): number {
  const parts = messages.flatMap((message) => [...message.parts] as { type: string }[]);
  return parts.filter(({ type }) => SPEECH.has(type)).length;
}

async function firstRows(source: Source): Promise<string[]> {
  for await (const { block } of planBlocks([source], { blockSize: BYTES, lineLimit: LINE_LIMIT })) {
    if (block.kind === 'group') return groupRows(block.file, block.group);
    return block.kind === 'lines' ? rowsOf(Buffer.from(block.bytes.buffer)) : rangeRows(block.file, block.to);
  }
  return [];
}

async function groupRows(file: string, group: number): Promise<string[]> {
  const parquet = await openParquet(file);
  const rows = await parquet.readGroup(group);
  await parquet.close();
  return rows.slice(0, ROWS);
}

function rangeRows(file: string, to: number): string[] {
  const reader = new RangeReader(LINE_LIMIT);
  const rows = rowsOf(reader.read(file, 0, to).bytes);
  reader.close();
  return rows;
}

function rowsOf(bytes: Buffer): string[] {
  return linesOf({ bytes, first: true, cut: false });
}
