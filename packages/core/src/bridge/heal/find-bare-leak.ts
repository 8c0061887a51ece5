// Looks for calls without markers behind text on their line: "I ask. [get_weather(city='Oslo')]".

import { type FoundLeak, findCalls, type LeakSearch } from './find-leak.js';

/** Readers take `[get_weather(…)]` and `{"name": "get_weather", …}` for calls only where they begin a line. */
export function findBareLeak(text: string, search: LeakSearch): FoundLeak | undefined {
  const starts = search.tools.flatMap(({ name }) => (name === '' ? [] : bareStarts(text, name)));
  const breaks = [...new Set(starts)].sort((a, b) => a - b);
  if (breaks.length === 0) return undefined;
  const lines = breaks.map((at, n) => text.slice(n === 0 ? 0 : breaks[n - 1], at));
  const found = findCalls([...lines, text.slice(breaks.at(-1))].join('\n'), search);
  if (!found) return undefined;
  const place = (broken: number) => broken - breaks.filter((at, n) => at + n < broken).length;
  return { ...found, range: [place(found.range[0]), place(found.range[1])] };
}

/** Gives where a call of this tool may begin behind text on its line. */
function bareStarts(text: string, name: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = text.slice(Math.max(0, at - MOST_BEFORE), at);
    const head = text[at + name.length] === '(' ? /\[\s*$/.exec(before) : beforeName.exec(before);
    const line = before.slice(0, head?.index).slice(before.lastIndexOf('\n', head?.index) + 1);
    // Behind marks alone, of a list or a quote, a call is shown.
    if (head && /\p{L}/u.test(line) && /[\s\p{P}]$/u.test(line)) starts.push(at - before.length + head.index);
  }
  return starts;
}

/** `{"name": "`, and what else a name stands behind. */
const beforeName = /(?:\[\s*)?\{\s*"[a-z_]+"\s*:\s*(?:\{\s*"name"\s*:\s*)?"$/;
/** How much of what stands before a name is looked at. */
const MOST_BEFORE = 200;
