// Detects a model's dialect by its name, by the text of its chat template, or by a sample of its output. Every result
// has a reason and a confidence.
//
//   model     the words of its name are compared with the names that the dialects list (model-words.ts)
//   template  the signs that a dialect lists, or else the fixed pieces of a call as it writes it, are searched in it
//   text      every dialect reads it, and the readings are ranked (rank-readings.ts)

import type { Conversation, Tool, ToolCall } from '../model/index.js';
import type { Dialect } from './dialect.js';
import { dialectOfModel } from './model-words.js';
import { describeReading, rankReadings, recognises } from './rank-readings.js';
import { Writer } from './writer.js';

export interface Evidence {
  /** A model's name, as servers and catalogues spell it. */
  model?: string;
  /** The text of its chat template (Jinja). */
  template?: string;
  /** A sample of its output. */
  text?: string;
  /** The tools it had when it wrote the sample. Their names help to tell calls from prose. */
  tools?: unknown;
}

export interface Detection {
  dialect: Dialect;
  by: 'model' | 'template' | 'text';
  /** Between 0 and 1. */
  confidence: number;
  /** One sentence, for people. */
  reason: string;
  /** Others that fit as well, or nearly. */
  others: readonly Dialect[];
}

/** Tries the name, the template and the sample, in this order. The first result counts; undefined if there is none. */
export function detectAmong(dialects: readonly Dialect[], evidence: Evidence): Detection | undefined {
  const { model, template, text } = evidence;
  return (
    (model === undefined ? undefined : byModel(dialects, model)) ??
    (template === undefined ? undefined : byTemplate(dialects, template)) ??
    (text === undefined ? undefined : byText(dialects, text, evidence.tools))
  );
}

function byModel(dialects: readonly Dialect[], model: string): Detection | undefined {
  const found = dialectOfModel(dialects, model);
  if (!found) return undefined;
  const reason = `the name ${shown(model)} is that of ${found.known}, which writes ${found.dialect.name}`;
  return { dialect: found.dialect, by: 'model', confidence: 0.95, reason, others: [] };
}

function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}

// ---------------------------------------------------------------- by the template

interface Fit {
  dialect: Dialect;
  /** The pieces that the template contains. */
  found: string[];
}

/**
 * Finds the dialect of which a sign is in the template or, without any, one whose pieces of a call all are. Of several,
 * the one with the most characters wins.
 */
function byTemplate(dialects: readonly Dialect[], template: string): Detection | undefined {
  const signed = dialects.flatMap((dialect) => bySigns(dialect, template));
  const fits = signed.length > 0 ? signed : dialects.flatMap((dialect) => byPieces(dialect, template));
  fits.sort((a, b) => lengthOf(b) - lengthOf(a));
  const [best, ...rest] = fits;
  if (!best) return undefined;
  const equal = rest.filter((fit) => lengthOf(fit) === lengthOf(best)).map(({ dialect }) => dialect);
  const confidence = equal.length > 0 ? 0.5 : rest.length > 0 ? 0.8 : 0.9;
  const pieces = best.found.slice(0, 3).join(' ');
  const reason = `the chat template writes calls with ${pieces}, as ${best.dialect.name} does`;
  return { dialect: best.dialect, by: 'template', confidence, reason, others: equal };
}

function bySigns(dialect: Dialect, template: string): Fit[] {
  const found =
    dialect.templateSigns?.filter((sign) => sign.every((piece) => template.includes(piece))) ?? [];
  const [longest] = found
    .map((sign) => ({ dialect, found: [...sign] }))
    .sort((a, b) => lengthOf(b) - lengthOf(a));
  return longest ? [longest] : [];
}

function byPieces(dialect: Dialect, template: string): Fit[] {
  const pieces = dialect.templateSigns ? [] : callPieces(dialect);
  const found = pieces.filter((piece) => template.includes(piece));
  return found.length > 0 && found.length === pieces.length ? [{ dialect, found }] : [];
}

function lengthOf({ found }: Fit): number {
  return found.reduce((sum, piece) => sum + piece.length, 0);
}

const SAMPLE_TOOL: Tool = {
  name: 'f',
  parameters: { type: 'object', properties: { k: { type: 'string' } } },
};
const SAMPLE_CALL: ToolCall = { type: 'tool-call', id: '0', name: 'f', input: { k: 'v' } };
const SAMPLE: Conversation = { messages: [], tools: [SAMPLE_TOOL], toolChoice: 'auto' };

const pieceCache = new WeakMap<Dialect, string[]>();

/** Gives the markup of a call: the fixed characters that the dialect writes around names and values. */
function callPieces(dialect: Dialect): string[] {
  let pieces = pieceCache.get(dialect);
  if (!pieces) {
    pieces = readPieces(dialect);
    pieceCache.set(dialect, pieces);
  }
  return pieces;
}

function readPieces(dialect: Dialect): string[] {
  const out = new Writer(dialect.markers);
  dialect.render.calls(out, [SAMPLE_CALL], { tools: SAMPLE.tools, afterText: false });
  const { text } = out;
  const ours = out.spans
    .filter(({ origin }) => origin === 'ours')
    .map(({ start, end }) => text.slice(start, end));
  // Templates write line breaks as \n and concatenate strings, perhaps with a loop between two markers. So only a
  // single marker without white space and quotes is certain to be in the template in one piece.
  const atoms = ours.flatMap((piece) => piece.split(/[\s"'{}:,]+|(?<=[>\]])|(?=<)/));
  return [...new Set(atoms.filter((atom) => /[<>[\]|=]/.test(atom) && /\w{2}/.test(atom)))];
}

// ---------------------------------------------------------------- by a sample

function byText(dialects: readonly Dialect[], text: string, tools: unknown): Detection | undefined {
  const { all, fitting } = rankReadings(dialects, text, { tools });
  const [best, ...equal] = fitting;
  if (!best) return undefined;
  const isAlone = all.filter(recognises).length === fitting.length;
  const confidence = equal.length > 0 ? 0.5 / (equal.length + 1) + 0.25 : isAlone ? 0.85 : 0.7;
  const reason = `${best.dialect.name} reads the sample as ${describeReading(best)}`;
  return {
    dialect: best.dialect,
    by: 'text',
    confidence,
    reason,
    others: equal.map(({ dialect }) => dialect),
  };
}
