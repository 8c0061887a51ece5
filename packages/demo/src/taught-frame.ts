// Which dialect a prompt teaches, and where in it the tools stand. Found in the prompt's own words: every dialect
// is asked to teach two made-up tools, and what stands around them is what a prompt of that dialect must hold.
//
//   # Tools … within <tools></tools> XML tags:\n<tools>   {…}\n{…}   \n</tools>\n\nFor each function call, …
//   before                                                tools      after

import { type Dialect, type RenderedMessage, type RenderOptions, renderMessages } from '@dragoman/core';

export interface TaughtFrame {
  /** More than one where several are taught in the very same words. */
  dialects: readonly Dialect[];
  /** Where the teaching begins and ends in the text. */
  start: number;
  end: number;
  /** The definitions. */
  tools: string;
}

interface FrameWords {
  dialects: Dialect[];
  before: string;
  after: string;
}

const NAMES = ['demo_frame_one', 'demo_frame_two'] as const;

const forms: readonly RenderOptions[] = [
  { language: 'en' },
  { language: 'zh' },
  { language: 'en', short: true },
  { language: 'zh', short: true },
];

/** Learnt once for a list. */
const learnt = new WeakMap<readonly Dialect[], readonly FrameWords[]>();

/** The longest words that match win: the teaching of one dialect may begin like that of another. */
export function findTaughtFrame(text: string, all: readonly Dialect[]): TaughtFrame | undefined {
  const known = learnt.get(all) ?? allFrameWords(all);
  learnt.set(all, known);
  const starts = new Map<string, number>();
  for (const { dialects, before, after } of known) {
    const start = starts.get(before) ?? text.lastIndexOf(before);
    starts.set(before, start);
    const from = start + before.length;
    const to = start < 0 ? -1 : after === '' ? text.length : text.indexOf(after, from);
    if (to >= 0) return { dialects, start, end: to + after.length, tools: text.slice(from, to) };
  }
  return undefined;
}

/** The longest first. */
function allFrameWords(dialects: readonly Dialect[]): FrameWords[] {
  const found = new Map<string, FrameWords>();
  for (const dialect of dialects) {
    for (const options of forms) {
      const { before, after } = frameWords(dialect, options);
      const same = found.get(`${before}\n${after}`) ?? { dialects: [], before, after };
      if (!same.dialects.includes(dialect)) same.dialects.push(dialect);
      found.set(`${before}\n${after}`, same);
    }
  }
  const length = ({ before, after }: FrameWords) => before.length + after.length;
  return [...found.values()].filter((words) => length(words) > 0).sort((a, b) => length(b) - length(a));
}

function frameWords(dialect: Dialect, options: RenderOptions): Omit<FrameWords, 'dialects'> {
  const [taught] = renderMessages(dialect, { messages: [], tools: NAMES.map(madeUpTool) }, options).messages;
  if (!taught) return { before: '', after: '' };
  const { content, spans } = taught;
  const outside = spans.filter(({ origin }) => origin === 'outside');
  const before = content.slice(0, outside[0]?.start ?? content.length);
  const after = content.slice(outside.at(-1)?.end ?? content.length);
  // What opens and closes each single tool belongs to the tools.
  const between = betweenTools(taught);
  return {
    before: before.slice(0, before.length - commonEnd(before, between)),
    after: after.slice(commonStart(after, between)),
  };
}

function madeUpTool(name: string) {
  const properties = { city: { type: 'string', description: 'A city' } };
  return { name, description: 'Made up', parameters: { type: 'object', properties, required: ['city'] } };
}

/** Our words in front of the second tool; none where a dialect writes all tools in one piece. */
function betweenTools({ content, spans }: RenderedMessage): string {
  const second = spans.findIndex(({ start, end, origin }) => {
    return origin === 'outside' && content.slice(start, end).includes(NAMES[1]);
  });
  const here = spans[second];
  const previous = spans[second - 1];
  if (!here || !previous || content.slice(here.start, here.end).includes(NAMES[0])) return '';
  return content.slice(previous.start, previous.end);
}

/** Whole lines only: what is cut off `one` ends before a line break. */
function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  while (length > 0 && one[length] !== '\n') length--;
  return length;
}

/** Whole lines only: what is cut off `one` begins with a line break. */
function commonEnd(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length))
    length++;
  while (length > 0 && one.at(-length) !== '\n') length--;
  return length;
}
