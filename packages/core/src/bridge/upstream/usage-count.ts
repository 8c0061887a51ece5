// The token usage of one request, summed over its attempts and choices: as the upstream reports it, else estimated.

import type { Usage } from '../../model/index.js';
import { tokenWeight } from './estimate-tokens.js';
import type { UpstreamRequest } from './upstream.js';

export class UsageCount {
  readonly total: Usage = { inputTokens: 0, outputTokens: 0 };

  /** Starts the count of one request to the upstream. */
  begin(request: UpstreamRequest): AttemptUsage {
    return new AttemptUsage(request, this);
  }

  add(usage: Usage): void {
    const { total } = this;
    total.inputTokens += usage.inputTokens;
    total.outputTokens += usage.outputTokens;
    if (usage.cachedTokens !== undefined) total.cachedTokens = (total.cachedTokens ?? 0) + usage.cachedTokens;
    if (usage.reasoningTokens !== undefined)
      total.reasoningTokens = (total.reasoningTokens ?? 0) + usage.reasoningTokens;
    if (usage.estimated) total.estimated = true;
  }
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

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.count.add(this.#told ?? this.#estimate());
  }

  #estimate(): Usage {
    const input = textsOf(this.request).reduce((sum, text) => sum + tokenWeight(text), 0);
    return { inputTokens: Math.ceil(input), outputTokens: Math.ceil(this.#written), estimated: true };
  }
}

function textsOf({ prompt, conversation }: UpstreamRequest): string[] {
  if (prompt !== undefined) return [prompt];
  return conversation.messages.flatMap((message) =>
    message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
}
