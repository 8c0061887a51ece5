// "did you mean …?"

import { nearest as nearestSpelling } from '@dragoman/gateway/nearest';

/** The candidate a misspelt or shortened word most likely stands for, if any is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const near = nearestSpelling(word, candidates);
  return near ?? (word.length > 1 ? candidates.find((one) => one.startsWith(word.toLowerCase())) : undefined);
}

/** As the end of a sentence: nothing, or `; did you mean --tools?`. */
export function didYouMean(word: string, candidates: readonly string[], prefix = ''): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `; did you mean ${prefix}${found}?`;
}
