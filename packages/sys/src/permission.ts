// Asks the caller for approval before each action of a tool, unless the options allow it.

import { ToolError } from '@dragoman/core/agent';
import type { SysToolName } from './definitions.js';

/** The tools that change something. */
export type ActingTool = Extract<SysToolName, 'bash' | 'write_file'>;

/** The action to be approved. */
export interface SysAction {
  tool: ActingTool;
  /** A copy: changing it changes nothing. */
  input: Record<string, unknown>;
  /** The same in words, safe to print: control characters are spelled out. */
  summary: string;
}

/** `true` allows the action. `false` refuses it; a text refuses it and tells the model why. */
export type SysAsk = (
  action: SysAction,
  /** Aborted when the answer is no longer awaited. */
  context: { signal: AbortSignal },
) => boolean | string | Promise<boolean | string>;

export interface PermissionOptions {
  ask?: SysAsk | undefined;
  allow?: 'all' | readonly ActingTool[] | undefined;
}

export class Permission {
  readonly #ask: SysAsk | undefined;
  readonly #allow: 'all' | readonly ActingTool[];
  /** One question at a time: two at once cannot be told apart in a terminal. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ ask, allow = [] }: PermissionOptions) {
    this.#ask = ask;
    this.#allow = allow;
  }

  /** Returns if the action may happen, else throws a ToolError that says why not. */
  async get(action: SysAction, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#allow === 'all' || this.#allow.includes(action.tool)) return;
    const ask = this.#ask;
    if (!ask) throw new ToolError(nobodyToAsk(action.tool));
    const answer = await this.#inTurn(signal, () =>
      ask({ ...action, input: structuredClone(action.input) }, { signal }),
    );
    if (answer === true) return;
    const reason = typeof answer === 'string' && answer !== '' ? `: ${answer}` : '.';
    throw new ToolError(`The user refused this ${action.tool} call${reason}`);
  }

  #inTurn<T>(signal: AbortSignal, question: () => T | Promise<T>): Promise<T> {
    const before = this.#last;
    const answer = orAborted(
      before.then(() => {
        signal.throwIfAborted();
        return question();
      }),
      signal,
    );
    this.#last = Promise.allSettled([before, answer]);
    return answer;
  }
}

function nobodyToAsk(tool: ActingTool): string {
  return (
    `${tool} is not allowed here, and nothing was done: nobody can be asked. The one who runs this program can ` +
    `allow it by giving \`ask\` or \`allow: ['${tool}']\` to sysBuiltIn.`
  );
}

/** Stops waiting on abort: the answer may never come. */
async function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    const given = await Promise.race([answer, aborted]);
    signal.throwIfAborted();
    return given;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
