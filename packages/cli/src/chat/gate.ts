// Decides whether a tool may act: by asking the user, or all may, or none.

import type { JsonObject } from '@dragoman/core';

export interface ToolAction {
  /** The tool's name. */
  name: string;
  input: JsonObject;
  /** A description of the action. */
  summary?: string;
}

export type GateAnswer = 'yes' | 'no' | 'always';

/** Gives the answer; `no` if the question was aborted. */
export type AskPerson = (action: ToolAction, signal: AbortSignal) => Promise<GateAnswer>;

export class Gate {
  /** Tools that the user always allows. */
  readonly always = new Set<string>();
  /** Tools that the user always refuses. */
  readonly refused: string[] = [];

  constructor(private readonly policy: 'all' | 'none' | AskPerson) {}

  /** True, or the reason for the refusal, which the model gets. */
  async permit(action: ToolAction, signal: AbortSignal): Promise<boolean | string> {
    if (this.policy === 'all' || this.always.has(action.name)) return true;
    const verdict = this.policy === 'none' ? 'no' : await this.policy(action, signal);
    if (verdict === 'always') this.always.add(action.name);
    if (verdict !== 'no') return true;
    this.refused.push(action.name);
    return this.policy === 'none' ? 'nobody is there to be asked' : false;
  }

  /** The rule for a tool, in a word. */
  stateOf(name: string): 'allowed' | 'asks' | 'refused' {
    if (this.policy === 'all' || this.always.has(name)) return 'allowed';
    return this.policy === 'none' ? 'refused' : 'asks';
  }
}
