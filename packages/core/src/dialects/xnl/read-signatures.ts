// Reads the declarations of signatures.ts back into tools, as a model reads them: what types and comments say, which is
// less than the definitions had, so that it is no `ReadBack.tools`.
//
//   type Node = { next?: Node };
//   declare namespace Tools {
//     /** Weather of a city */
//     function get_weather(input: { city: string; days?: /* integer, minimum: 1 */ number }): Promise<string>;
//   }
//
// A namespace with a name that cannot be declared is `declare const Tools: {`, its members without `function`.

import { type JsonObject, type JsonValue, setMember, type Tool } from '../../model/index.js';
import { XNL_NAMESPACE } from './names.js';

/** The deepest type that is read. */
const MAX_DEPTH = 64;

/** Strings and comments, brackets, and separators. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|[{}()[\]<>|&;,]/g;

export function readSignatures(text: string): Tool[] {
  const $defs: JsonObject = {};
  return split(text.replaceAll(/^\}$/gm, '};'), ';').flatMap((declaration): Tool[] => {
    const type = /^type (\w+) = /.exec(declaration);
    if (type) setMember($defs, type[1] ?? '', readType(declaration.slice(type[0].length)));
    const path = /^declare (?:namespace|const) ([\w$.]+)/.exec(declaration)?.[1];
    if (path === undefined) return [];
    const prefix = path === XNL_NAMESPACE ? '' : `${path}.`;
    return split(inside(declaration, '{'), ';').map((member) => readTool(member, prefix, $defs));
  });
}

function readTool(member: string, prefix: string, $defs: JsonObject): Tool {
  const { comments, rest } = takeComments(member);
  const signature = rest.replace(/^\/\/.*\n\s*/, '').replace(/^function /, '');
  const end = signature.indexOf('(input: ');
  const input = signature.slice(end + '(input: '.length, signature.lastIndexOf('): Promise<'));
  const [description] = comments;
  return {
    name: prefix + readKey(signature.slice(0, end)),
    ...(description !== undefined && { description }),
    parameters: { ...readType(input), ...(Object.keys($defs).length > 0 && { $defs }) },
  };
}

function readType(text: string, depth = 0): JsonObject {
  if (depth > MAX_DEPTH) return {};
  const choices = split(text, '|');
  if (choices.length > 1) return { anyOf: choices.map((choice) => readType(choice, depth + 1)) };
  const all = split(text, '&');
  if (all.length > 1) return { allOf: all.map((part) => readType(part, depth + 1)) };
  const { comments, rest } = takeComments(text);
  return readPart(rest, comments.map(readComment), depth + 1);
}

/**
 * `notes`: what the comments before it say, the innermost last. Those about lists belong to the innermost lists: the
 * outermost may have none, because the comment before a member is about the member.
 */
function readPart(text: string, notes: readonly JsonObject[], depth: number): JsonObject {
  if (!text.endsWith('[]')) return notes.reduce(withNote, readNamed(text, depth));
  const aboutLists = notes.filter(
    ({ minItems, maxItems, uniqueItems }) => (minItems ?? maxItems ?? uniqueItems) !== undefined,
  );
  let lists = 0;
  while (text.endsWith('[]', text.length - 2 * lists)) lists++;
  const own = aboutLists.length >= lists ? aboutLists[0] : undefined;
  const others = notes.filter((note) => note !== own);
  return { type: 'array', items: readPart(text.slice(0, -2), others, depth), ...own };
}

function withNote(type: JsonObject, { integer, ...said }: JsonObject): JsonObject {
  return { ...type, ...said, ...(integer === true && { type: 'integer' }) };
}

function readNamed(text: string, depth: number): JsonObject {
  if (text.startsWith('{')) return readMembers(inside(text, '{'), depth);
  if (text.startsWith('(')) return readType(inside(text, '('), depth);
  if (text.startsWith('Array<')) return { type: 'array', items: readType(inside(text, '<'), depth) };
  if (text.startsWith('Record<')) return { type: 'object' };
  if (text.startsWith('[')) return { type: 'array' };
  if (['string', 'number', 'boolean'].includes(text)) return { type: text };
  const value = readJson(text);
  if (value !== undefined) return { const: value };
  return /^[A-Z]\w*$/.test(text) ? { $ref: `#/$defs/${text}` } : {};
}

function readMembers(text: string, depth: number): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const member of split(text, ';')) {
    const { comments, rest } = takeComments(member);
    const [, key, optional] = /^("(?:[^"\\]|\\.)*"|[\w$]+)(\??): /.exec(rest) ?? [];
    // The rest is `[key: string]: …`, which is never filled in.
    if (key === undefined) continue;
    const type = readType(rest.slice(rest.indexOf(': ', key.length) + 2), depth);
    setMember(properties, readKey(key), comments.map(readComment).reduce(withNote, type));
    if (optional === '') required.push(readKey(key));
  }
  return { type: 'object', properties, required };
}

// --- pieces of text ------------------------------------------------------------------------------------

/** Splits at separators outside of brackets, strings and comments. */
function split(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === separator && depth === 0) {
      pieces.push(text.slice(start, index));
      start = index + 1;
    } else if ('{([<'.includes(token)) depth++;
    else if ('})]>'.includes(token)) depth--;
  }
  return [...pieces, text.slice(start)].map((piece) => piece.trim()).filter((piece) => piece !== '');
}

function inside(text: string, open: string): string {
  return text.slice(text.indexOf(open) + 1, -1);
}

function takeComments(text: string): { comments: string[]; rest: string } {
  const comments: string[] = [];
  let rest = text;
  while (rest.startsWith('/*')) {
    const end = rest.indexOf('*/') + 2;
    const lines = rest.slice(2, end - 2).split('\n');
    const inner = lines.map((line) => line.trim().replace(/^\*+ ?/, '')).join('\n');
    comments.push(inner.trim().replaceAll('*\\/', '*/'));
    rest = rest.slice(end).trimStart();
  }
  return { comments, rest };
}

/** Reads `How far ahead (integer, minimum: 1)`: a description, and the constraints that the type cannot express. */
function readComment(text: string): JsonObject {
  const whole = readConstraints(text);
  if (whole) return whole;
  const open = text.endsWith(')') ? text.lastIndexOf(' (') : -1;
  const behind = open < 0 ? undefined : readConstraints(text.slice(open + 2, -1));
  return behind ? { description: text.slice(0, open), ...behind } : { description: text };
}

function readConstraints(text: string): JsonObject | undefined {
  const members = text.replace(/^integer(?=,|$)/, 'integer: true').replaceAll(/(^|, )(\w+): /g, '$1"$2": ');
  return readJson(`{${members}}`) as JsonObject | undefined;
}

/** Reads a key: an identifier, or a string. */
function readKey(key: string): string {
  return key.startsWith('"') ? String(readJson(key)) : key;
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
