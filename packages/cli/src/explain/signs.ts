// What a text looks like when no dialect reads a call in it: formats we do not know, and texts that are wrapped in
// something else.

import { isObject } from '@dragoman/core/internal';

/** Signs of formats in the field that no dialect reads, by whose they are. */
const formats: readonly { sign: string; of: string }[] = [
  { sign: '<|python_tag|>', of: "Llama 3's built-in tools" },
  { sign: '```tool_code', of: 'Gemma 3' },
];

export interface Sign {
  /** Where in the text. Absent: the whole. */
  at?: number;
  words: string;
}

export function findSigns(text: string): Sign[] {
  const known = formats.flatMap(({ sign, of }) => {
    const at = text.indexOf(sign);
    const words = `${sign} is how calls begin in the format of ${of}, which no dialect here reads.`;
    return at < 0 ? [] : [{ at, words }];
  });
  return [...known, ...wrapped(text)];
}

/** Texts that hold the model's words, and are not they. */
function wrapped(text: string): Sign[] {
  const start = text.trimStart();
  if (/^data: ?[{[]/.test(start))
    return [
      {
        words:
          'These are the lines of a stream (data: …), not the text in them. Join the contents of the deltas.',
      },
    ];
  if (start.startsWith('"') && text.trimEnd().endsWith('"') && start.includes('\\'))
    return [
      { words: 'This is a JSON string with its quotes and escapes. Undo them first, as `jq -r .` does.' },
    ];
  return start.startsWith('{') || start.startsWith('[') ? fromJson(start) : [];
}

function fromJson(text: string): Sign[] {
  const value = parsed(text);
  if (isObject(value) && (Object.hasOwn(value, 'choices') || Object.hasOwn(value, 'content')))
    return [
      {
        words:
          "This is the answer of an API, not the model's text in it. Take that out first, such as with `jq -r '.choices[0].message.content'`.",
      },
    ];
  const one = Array.isArray(value) ? value[0] : value;
  if (isObject(one) && typeof one.name === 'string')
    return [
      {
        words:
          'This is a call as bare JSON, without the markers of any dialect. A model that was taught none writes so: teach it one with `dragoman render --messages`.',
      },
    ];
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
