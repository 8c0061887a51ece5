// All codes of a report, with one sentence each, which people read in the report and in docs/convert.md. The parsers of
// dialects and JSON use the codes of model/issues.ts; here are those that only rows have.

import type { IssueCode, RepairCode } from '@dragoman/core/internal';

/** What a form may be unable to express. */
export const lossMeanings = {
  'call-ids': 'The ids of calls. Results follow the order of the calls.',
  'call-values': 'The type of an argument: its values are bare text there.',
  extra: "Members that only the source's form knows.",
  'key-order':
    'The order of keys in arguments or schemas: a struct has that of the first row. Rows of the output are counted.',
  media: 'Images and other media.',
  'message-bounds': 'Where one message ends and the next of its role begins. They become one.',
  'orphan-results':
    "That a text is the result of a tool: no call before it has its id, which APIs refuse. It becomes a user's text.",
  'part-order': 'The order or the number of the texts or thoughts of a message. They become one.',
  reasoning: 'What the model thought before it answered.',
  'result-errors': 'That a result is an error. Its text is kept.',
  'result-names': 'The name of the tool in its result.',
  'result-values': 'That a result is a value and no text, or is empty. Its JSON text is written.',
  roles: 'A role that the form does not have. The text is kept under another.',
  text: 'Halves of characters, which no file can hold.',
  'text-after-calls': 'Text behind the calls of a turn, or its place among them.',
  'tool-choice':
    'Which tools may or must be called, or that only one may be called at a time (in samples of --per-turn).',
  'tool-names': 'The name of a tool, which the form cannot take. It is written with underscores.',
  tools: 'Definitions of tools, or members of them.',
  'white-space': 'White space at the ends of a text, which the template of the model cuts.',
} as const;

export const rowIssueMeanings = {
  'begun-otherwise':
    'The prompt of a turn began the answer otherwise than the template writes it: it opens reasoning that the row does not have, closes some that the template leaves out, or leaves no room for some.',
  'duplicate-tool': 'Two tools have one name. The later definition counts.',
  'frame-text':
    'A text says what would be read as a frame of the form. It is written with a backslash, which other readers see.',
  'kept-nulls':
    'A call still has a null that --drop-null-arguments left: its schema has the key, or cannot tell.',
  'merged-arguments':
    'A table holds arguments or schemas as structs, with the keys of all rows. Those that are null are left out: one that was meant cannot be told from the others.',
  'nothing-learnt':
    'The row has no answer that --train and --mask-without leave to learn, so its mask is empty.',
  'null-arguments':
    'A call or a tool has keys that are null and not in its schema: a table merged the keys of all rows. --drop-null-arguments removes them.',
  'open-result':
    "Nothing ends a result here: what stands behind a blank line may be a user's. It is read as part of the result.",
  'other-prompt':
    'The text is not quite as it is rendered here: white space, or markers in it that nobody broke. It is read all the same.',
  'prefix-break':
    'A prompt of the conversation, with the answer behind it, is not the beginning of the next one or of the whole row: after this turn, by this rule. The member `prefix` has each break.',
  'rewritten-answer':
    'The chat template of the model writes an answer otherwise than it was written, so that it is not learnt. One sample a turn has it as it was.',
  'skipped-tool': "A provider's own tool, which is no function. It is left out.",
  'split-token': 'A token has characters that the model writes and others. It is not learnt.',
  'text-arguments':
    'Arguments or schemas that a struct would change, so that --arguments struct writes JSON text there. Columns are counted; the row is that of the output.',
  'unread-prompt':
    'The prompts of this dialect cannot be read back, so what the template leaves out is not reported.',
  'unknown-member': 'A message has a member that the form does not know. It is left out.',
} as const;

export const rowRepairMeanings = {
  'broken-frame': 'A backslash kept a text from being read as a frame. It is taken off.',
  'dropped-nulls':
    'Keys that were null and not in the schema are removed from a call or a tool (--drop-null-arguments). Calls and tools are counted.',
  'results-first': 'Results stand behind the text of a message. They are read as if they stood before it.',
} as const;

export type LossCode = keyof typeof lossMeanings;
export type RowIssueCode = keyof typeof rowIssueMeanings;
export type RowRepairCode = keyof typeof rowRepairMeanings;

/** Issues of what is written: the template, the form or the choices of the run cause them. All others are of the source. */
const outputIssues: ReadonlySet<string> = new Set<RowIssueCode>([
  'begun-otherwise',
  'frame-text',
  'nothing-learnt',
  'prefix-break',
  'rewritten-answer',
  'split-token',
  'text-arguments',
  'unread-prompt',
]);

export function isOutputIssue(code: string): boolean {
  return outputIssues.has(code);
}

/** The kind and code of a note on a row. */
export type NoteCode =
  | { kind: 'repair'; code: RepairCode | RowRepairCode }
  | { kind: 'issue'; code: IssueCode | RowIssueCode }
  | { kind: 'loss'; code: LossCode };

/** Gives the sentence for a code; undefined for the codes of model/issues.ts. */
export function meaningOfCode(kind: NoteCode['kind'], code: string): string | undefined {
  const meanings: Readonly<Record<string, string>> =
    kind === 'loss' ? lossMeanings : kind === 'issue' ? rowIssueMeanings : rowRepairMeanings;
  return Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}
