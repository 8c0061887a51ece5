// Whether a tool may act: someone is asked, or all may, or none.

import type { JsonObject } from '@dragoman/core';

export interface Action {
  /** The tool's name. */
  name: string;
  input: JsonObject;
  /** What will happen, in words. */
  summary?: string;
}

export type Verdict = 'yes' | 'no' | 'always';

/** Gives what was said; `no` where nobody waits any more. */
export type AskPerson = (action: Action, signal: AbortSignal) => Promise<Verdict>;

export class Gate {
  /** Tools that were allowed once and for all. */
  readonly always = new Set<string>();
  /** Tools that were refused, each time. */
  readonly refused: string[] = [];

  constructor(private readonly policy: 'all' | 'none' | AskPerson) {}

  /** Whether it may; or the reason that the model is told why not. */
  async permit(action: Action, signal: AbortSignal): Promise<boolean | string> {
    if (this.policy === 'all' || this.always.has(action.name)) return true;
    const verdict = this.policy === 'none' ? 'no' : await this.policy(action, signal);
    if (verdict === 'always') this.always.add(action.name);
    if (verdict !== 'no') return true;
    this.refused.push(action.name);
    return this.policy === 'none' ? 'nobody is there to be asked' : false;
  }

  /** What is known of a tool, in a word. */
  stateOf(name: string): 'allowed' | 'asks' | 'refused' {
    if (this.policy === 'all' || this.always.has(name)) return 'allowed';
    return this.policy === 'none' ? 'refused' : 'asks';
  }
}
