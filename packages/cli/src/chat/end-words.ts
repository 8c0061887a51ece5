// Describes why an answer ended early.

import type { AgentEndReason } from '@dragoman/core/agent';

export function endWords(reason: AgentEndReason, maxTurns: number | undefined): string | undefined {
  switch (reason) {
    case 'max-steps':
      return `Stopped after ${maxTurns ?? 20} turns: --max-turns allows more. "Go on" goes on.`;
    case 'max-calls':
      return 'Stopped: too many calls.';
    case 'repeats':
      return 'Stopped: the model went on making the same call.';
    case 'length':
      return 'The answer was cut off by the token limit, so none of its calls was run.';
    case 'content-filter':
      return 'The provider withheld the answer.';
    case 'aborted':
      return 'Stopped.';
    default:
      return undefined;
  }
}
