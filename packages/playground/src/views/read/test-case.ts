// A text as a file of the corpus, and as a command.

import type { TextReading } from '../../reading/index.js';
import type { ReadDocument } from './state.js';

/** The file of `corpus/wild` for a text that was misread: what it should give is to be filled in. */
export function testCase({ text, context }: ReadDocument, dialect: string, reading: TextReading): string {
  const calls = reading.calls.filter(({ state }) => state === 'complete');
  const of = (type: 'issue' | 'repair') =>
    reading.notes.filter((note) => note.type === type).map(({ code }) => code);
  const made = {
    name: 'what happened, in a few words',
    dialect,
    about: 'Which model wrote it, and by which server.',
    tools: parsed(context.tools) ?? [],
    ...(context.thinking && { thinking: true }),
    text,
    expect: {
      calls: calls.map(({ name, raw }) => ({ name, input: parsed(raw) })),
      issues: of('issue'),
      repairs: of('repair'),
    },
  };
  return `${JSON.stringify(made, null, 2)}\n`;
}

export function callsAsJson({ calls }: TextReading): string {
  const complete = calls.filter(({ state }) => state === 'complete');
  return JSON.stringify(
    complete.map(({ id, name, raw }) => ({ ...(id !== undefined && { id }), name, arguments: parsed(raw) })),
    null,
    2,
  );
}

/** `dragoman explain` on this text, for a shell. */
export function explainCommand({ text, context: { dialect } }: ReadDocument): string {
  const option = dialect === 'auto' ? '' : ` --dialect ${dialect}`;
  return `printf '%s' '${text.replaceAll("'", "'\\''")}' | npx dragoman explain${option}`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
