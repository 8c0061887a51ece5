// A model with tools, run to its end: as a sequence of events, or for the result alone.

import { type Message, UsageError } from '../model/index.js';
import type { AgentEvent, AgentResult } from './events.js';
import { Loop } from './loop.js';
import { type AgentOptions, toPlan } from './options.js';
import { linkedController } from './stop.js';

/**
 * Runs tools for a model until it is done or a limit is reached. Nothing happens before the events are iterated
 * or `result` is asked for; leaving the iteration early stops the run.
 *
 * A tool that fails, an input that is wrong, a call that is refused: all go back to the model as error results. If
 * the model itself fails, the last event is `agent-end` with the reason `error`; then the iteration throws, and
 * `result` rejects, with that error. The conversation until then is in the run's `messages`. A run that is
 * aborted ends without a throw, with the reason `aborted`.
 *
 * Tools run when the model's turn is whole. Of a turn that was cut off nothing is run, not even the calls in it
 * that are complete: what was to follow is unknown, and a command may be safe only together with the next one.
 *
 * Throws a UsageError at once if an option is wrong.
 */
export function runAgent(options: AgentOptions): AgentRun {
  return new AgentRun(options);
}

/** The run that `runAgent` returns: its events, to be iterated once, and its result. */
export class AgentRun implements AsyncIterable<AgentEvent> {
  private readonly loop: Loop;
  private readonly signal: AbortSignal | undefined;
  private readonly controller = new AbortController();
  private readonly end: Promise<AgentResult>;
  private settle: { resolve(result: AgentResult): void; reject(error: unknown): void } | undefined;
  private begun = false;

  constructor(options: AgentOptions) {
    this.loop = new Loop(toPlan(options), this.controller.signal);
    this.signal = options.signal;
    this.end = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // A consumer that iterates gets the error there: an unread `result` must not count as an unhandled rejection.
    this.end.catch(() => {});
  }

  /** The conversation, as far as it has come. */
  get messages(): readonly Message[] {
    return this.loop.messages;
  }

  /** Settles when the run ends. Reading it starts the run if it is not being iterated. */
  get result(): Promise<AgentResult> {
    queueMicrotask(() => {
      if (!this.begun) void this.drain();
    });
    return this.end;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<AgentEvent, void, undefined> {
    const events = this.events();
    return {
      next: () => events.next(),
      // Ends the wait for the next event, too.
      return: () => {
        this.controller.abort();
        return events.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  private async drain(): Promise<void> {
    try {
      for await (const _ of this);
    } catch {
      // `result` has it.
    }
  }

  private async *events(): AsyncGenerator<AgentEvent, void> {
    if (this.begun) {
      throw new UsageError(
        'bad-options',
        'a run happens once: iterate before asking for `result`, and only once',
      );
    }
    this.begun = true;
    const { release } = linkedController(this.signal, this.controller);
    try {
      yield* this.loop.events();
    } finally {
      release();
      if (!this.loop.isOver) this.controller.abort();
      const result = this.loop.close();
      if (result.reason === 'error') this.settle?.reject(result.error);
      else this.settle?.resolve(result);
    }
  }
}
