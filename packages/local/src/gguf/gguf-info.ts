// What the metadata of a GGUF file says about its model, as far as prompts, dialects and lists of models need it.

import { type ByteSource, type GgufValue, readGgufHeader } from './gguf-reader.js';

export interface SpecialToken {
  id: number;
  text: string;
  /**
   * `control`: found only where special tokens are looked for. `added`: the tokenizer finds it in any text. `loose`: a
   * control token that an engine finds in any text nevertheless.
   */
  kind: 'control' | 'added' | 'loose';
}

export interface GgufInfo {
  architecture: string;
  /** As the file names its model. */
  name?: string;
  /** `model`, or `adapter` and the like. Absent: a model. */
  type?: string;
  /** Tokens of the longest conversation that it was trained for. */
  contextLength?: number;
  /** The chat template (Jinja), and those for special purposes, such as `tool_use`. */
  template?: string;
  templates: Readonly<Record<string, string>>;
  specialTokens: readonly SpecialToken[];
  vocabulary: number;
  bosToken?: string;
  eosToken?: string;
  /** How the model is best sampled, if its file says so. */
  sampling: { temperature?: number; topP?: number; topK?: number; minP?: number };
  /** Of a model that is split into several files: the place of this one, from 0, and their number. */
  split?: { part: number; parts: number };
}

/** The types of tokens in `tokenizer.ggml.token_type` that have a meaning of their own. */
const CONTROL = 3;
const ADDED = 4;

const TEMPLATE = 'tokenizer.chat_template';

/** Throws a LocalModelError. */
export function readGgufInfo(source: ByteSource): GgufInfo {
  const { values } = readGgufHeader(source);
  const architecture = textOf(values.get('general.architecture')) ?? 'unknown';
  const tokens = listOf(values.get('tokenizer.ggml.tokens'));
  const types = listOf(values.get('tokenizer.ggml.token_type'));
  const tokenAt = (key: string) => {
    const id = numberOf(values.get(key));
    return id === undefined ? undefined : textOf(tokens[id]);
  };
  const parts = numberOf(values.get('split.count'));
  return {
    architecture,
    templates: namedTemplates(values),
    specialTokens: specialTokens(tokens, types),
    vocabulary: tokens.length,
    sampling: defined({
      temperature: numberOf(values.get('general.sampling.temp')),
      topP: numberOf(values.get('general.sampling.top_p')),
      topK: numberOf(values.get('general.sampling.top_k')),
      minP: numberOf(values.get('general.sampling.min_p')),
    }),
    ...defined({
      name: textOf(values.get('general.name')),
      type: textOf(values.get('general.type')),
      contextLength: numberOf(values.get(`${architecture}.context_length`)),
      template: textOf(values.get(TEMPLATE)),
      bosToken: tokenAt('tokenizer.ggml.bos_token_id'),
      eosToken: tokenAt('tokenizer.ggml.eos_token_id'),
    }),
    ...(parts !== undefined &&
      parts > 1 && { split: { part: numberOf(values.get('split.no')) ?? 0, parts } }),
  };
}

function namedTemplates(values: ReadonlyMap<string, GgufValue>): Record<string, string> {
  const found = [...values].flatMap(([key, value]): [string, string][] =>
    key.startsWith(`${TEMPLATE}.`) && typeof value === 'string'
      ? [[key.slice(TEMPLATE.length + 1), value]]
      : [],
  );
  return Object.fromEntries(found);
}

function specialTokens(tokens: readonly GgufValue[], types: readonly GgufValue[]): SpecialToken[] {
  const found: SpecialToken[] = [];
  for (const [id, type] of types.entries()) {
    const text = textOf(tokens[id]);
    if (text === undefined || text === '' || (type !== CONTROL && type !== ADDED)) continue;
    found.push({ id, text, kind: type === CONTROL ? 'control' : 'added' });
  }
  return found;
}

function textOf(value: GgufValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberOf(value: GgufValue | undefined): number | undefined {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

function listOf(value: GgufValue | undefined): readonly GgufValue[] {
  return Array.isArray(value) ? value : [];
}

/** Leaves out members that are undefined. */
function defined<Members extends object>(
  members: Members,
): { [Key in keyof Members]: Exclude<Members[Key], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
