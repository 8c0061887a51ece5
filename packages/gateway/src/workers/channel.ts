// Messages between two processes over Node's channel: questions, which are answered, and notices, which are not.

import type { EventEmitter } from 'node:events';
import { fromPlainError, type PlainError, toPlainError } from './plain-error.js';

type Message =
  | { dragoman: 'ask'; id: number; name: string; value: unknown }
  | { dragoman: 'tell'; name: string; value: unknown }
  | { dragoman: 'answer'; id: number; value: unknown }
  | { dragoman: 'error'; id: number; error: PlainError };

/** A process or a worker of node:cluster. */
export interface Peer extends Pick<EventEmitter, 'on'> {
  send?(message: object, callback: (error: Error | null) => void): unknown;
}

/** What this side answers, by name. */
export type Answers = Readonly<Record<string, (value: never) => unknown>>;

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

export class Channel {
  #asked = 0;
  #closed = false;
  readonly #waiting = new Map<number, Waiting>();

  constructor(
    readonly peer: Peer,
    readonly answers: Answers,
  ) {
    peer.on('message', (message: Message) => this.#receive(message));
    peer.on('disconnect', () => this.close());
  }

  /** Rejects with the error of the other side, if the channel closes, or after `time` milliseconds. */
  ask<T>(name: string, value?: unknown, time?: number): Promise<T> {
    if (this.#closed) return Promise.reject(closed());
    const id = ++this.#asked;
    return new Promise<T>((resolve, reject) => {
      const late = () => this.#take(id)?.reject(new Error(`no answer to ${name} within ${time} ms`));
      const timer = time === undefined ? undefined : setTimeout(late, time);
      const over = <V>(settle: (value: V) => void) => {
        return (result: V) => {
          clearTimeout(timer);
          settle(result);
        };
      };
      this.#waiting.set(id, { resolve: over(resolve), reject: over(reject) });
      this.#send({ dragoman: 'ask', id, name, value });
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  tell(name: string, value?: unknown): void {
    if (!this.#closed) this.#send({ dragoman: 'tell', name, value });
  }

  close(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) reject(closed());
    this.#waiting.clear();
  }

  #receive(message: Message): void {
    if (message.dragoman === 'ask') void this.#answer(message);
    else if (message.dragoman === 'tell') void this.answers[message.name]?.(message.value as never);
    else if (message.dragoman === 'answer') this.#take(message.id)?.resolve(message.value as never);
    else if (message.dragoman === 'error') this.#take(message.id)?.reject(fromPlainError(message.error));
  }

  async #answer({ id, name, value }: Extract<Message, { dragoman: 'ask' }>): Promise<void> {
    try {
      const result = await this.answers[name]?.(value as never);
      this.#send({ dragoman: 'answer', id, value: result });
    } catch (error) {
      this.#send({ dragoman: 'error', id, error: toPlainError(error) });
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** A message to a process that has just ended is lost; its `disconnect` follows. */
  #send(message: Message): void {
    if (!this.#closed) this.peer.send?.(message, () => {});
  }
}

function closed(): Error {
  return new Error('the other process has ended');
}
