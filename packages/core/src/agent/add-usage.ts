// Adds up the token usage of several answers.

import type { Usage } from '../model/index.js';

export function addUsage(sum: Usage | undefined, more: Usage): Usage {
  if (sum === undefined) return { ...more };
  const cachedTokens = addKnown(sum.cachedTokens, more.cachedTokens);
  const reasoningTokens = addKnown(sum.reasoningTokens, more.reasoningTokens);
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
    ...((sum.estimated || more.estimated) && { estimated: true }),
  };
}

function addKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
