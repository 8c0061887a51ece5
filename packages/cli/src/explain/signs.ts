// Recognises why no dialect reads a call in a text: an unsupported format, or output that is still wrapped in an API
// answer, an event stream or a JSON string.

import { isObject } from '@dragoman/core/internal';

/** How calls begin in formats that no dialect reads, with the models that write them. */
const formats: readonly { sign: string; of: string }[] = [
  { sign: '<|python_tag|>', of: "Llama 3's interpreter" },
  { sign: '```tool_code', of: 'Gemma 3' },
];

export interface Sign {
  /** The offset in the text. Absent: the whole text. */
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

/** Recognises a text that wraps the model's output. */
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
