// The token usage of one request, summed over its attempts and choices: as the upstream reports it, else estimated.

import { onceConstant } from '../../model/constants.js';
import type { Message, Usage } from '../../model/index.js';
import { tokenWeight } from './estimate-tokens.js';
import type { UpstreamRequest } from './upstream.js';

export class UsageCount {
  total: Usage = { inputTokens: 0, outputTokens: 0 };

  /** Starts the count of one request to the upstream. */
  begin(request: UpstreamRequest): AttemptUsage {
    return new AttemptUsage(request, this);
  }

  add(usage: Usage): void {
    this.total = addUsage(this.total, usage);
  }
}

export function addUsage(sum: Usage, more: Usage): Usage {
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

export class AttemptUsage {
  #told: Usage | undefined;
  #written = 0;
  #ended = false;

  constructor(
    readonly request: UpstreamRequest,
    readonly count: UsageCount,
  ) {}

  wrote(text: string): void {
    this.#written += tokenWeight(text);
  }

  told(usage: Usage): void {
    this.#told = usage;
  }

  /** Counts nothing: the upstream refused the request. */
  drop(): void {
    this.#ended = true;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.count.add(this.#told ?? this.#estimate());
  }

  #estimate(): Usage {
    const input = inputWeight(this.request);
    return { inputTokens: Math.ceil(input), outputTokens: Math.ceil(this.#written), estimated: true };
  }
}

function inputWeight({ prompt, conversation }: UpstreamRequest): number {
  if (prompt !== undefined) return tokenWeight(prompt);
  return conversation.messages.reduce((sum, message) => sum + messageWeight(message), 0);
}

/** An agent sends most messages again with every request. */
const messageWeight = onceConstant(({ parts }: Message) =>
  parts.reduce((sum, part) => (part.type === 'text' ? sum + tokenWeight(part.text) : sum), 0),
);
