// The reasoning effort in the words of vendors' templates.

/** The words of the APIs, and their place in a vendor's list of words for low, medium, high and more. */
const places: ReadonlyMap<string, 0 | 1 | 2 | 3> = new Map([
  ['minimal', 0],
  ['low', 0],
  ['medium', 1],
  ['high', 2],
  ['xhigh', 3],
  ['max', 3],
]);

/** Gives `Render.effort` for a template with this option, and its words for low, medium, high and more. */
export function effortOption(option: string, words: readonly [string, string, string, string]) {
  return (effort: string): Record<string, unknown> | undefined => {
    const place = places.get(effort);
    return place === undefined ? undefined : { [option]: words[place] };
  };
}
