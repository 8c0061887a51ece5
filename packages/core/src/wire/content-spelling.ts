// Notes in `extra` how the content of a message was spelled (a string, a list, null), where it could be spelled in
// several ways, so that the API that read it writes it the same way again.

import type { ExactValue, Extra, Message } from '../model/index.js';

const CONTENT = 'dragoman:content';

type Spelling = 'list' | 'blank' | 'null' | 'absent';
type Parts = readonly { type: string; extra?: Extra }[];

/** `texts` are the parts read from the content. Without any, a writer gives null beside calls, else ''. */
export function noteContent(
  message: Message,
  content: ExactValue | undefined,
  texts: Parts,
  calls: boolean,
): void {
  const spelling = spellingOf(content, texts, calls);
  if (spelling !== undefined) message.extra = { ...message.extra, [CONTENT]: spelling };
}

function spellingOf(content: ExactValue | undefined, texts: Parts, calls: boolean): Spelling | undefined {
  if (Array.isArray(content)) return isBare(texts) ? 'list' : undefined;
  if (content === undefined) return 'absent';
  if (content === null) return calls ? undefined : 'null';
  return content === '' && calls ? 'blank' : undefined;
}

/** Whether it is written as one string: one text part without an `extra`, or no part at all. */
function isBare(texts: Parts): boolean {
  const [only, second] = texts;
  return only === undefined || (second === undefined && only.type === 'text' && only.extra === undefined);
}

export function contentSpelling(message: { extra?: Extra }, own: boolean): Spelling | undefined {
  return own ? (message.extra?.[CONTENT] as Spelling | undefined) : undefined;
}
