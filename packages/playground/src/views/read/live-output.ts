// What models write to the gateway, as it arrives: one answer at a time, and the next when that has ended.

import { isObject } from '@dragoman/core/internal';
import type { InspectorEvent } from '@dragoman/gateway';
import { recordTools } from '../../gateway/to-read-state.js';
import type { ReadState } from '../../view.js';

/** One request to a model. */
interface Asking {
  id: string;
  choice: number;
  attempt: number;
}

export class LiveOutput {
  readonly #known = new Map<string, { dialect?: string; tools?: string }>();
  #now: (Asking & { text: string; ends: number[]; thinking: boolean; over: boolean }) | undefined;

  /** Takes an event. Gives whether it changes what is shown. */
  add(event: InspectorEvent): boolean {
    if (event.type === 'dropped') return false;
    if (event.type === 'request') return this.#learn(event.id, { tools: recordTools(event.request) });
    if (event.type === 'upstream-request') return this.#begin(event);
    if (event.type === 'upstream-text') return this.#append(event, event.text);
    if (event.type === 'parse') return this.#notice(event, event.event);
    // The page ignores all other events.
    if (!('exchange' in event)) return false;
    if (event.exchange.dialect !== undefined) this.#learn(event.id, { dialect: event.exchange.dialect });
    if (event.type === 'exchange-end') this.#end(event.id);
    return this.#now?.id === event.id;
  }

  state(): ReadState | undefined {
    if (!this.#now) return undefined;
    const { id, text, ends, thinking, over } = this.#now;
    const { dialect = 'auto', tools = '' } = this.#known.get(id) ?? {};
    return { text, dialect, tools, thinking, ends: [...ends], ...(!over && { growing: true }) };
  }

  #learn(id: string, more: { dialect?: string; tools?: string }): boolean {
    this.#known.set(id, { ...this.#known.get(id), ...more });
    return false;
  }

  #begin({ id, choice, attempt }: Asking): boolean {
    if (this.#now && !this.#now.over && (this.#now.id !== id || this.#now.choice !== choice)) return false;
    if (this.#now && this.#now.id !== id) this.#known.delete(this.#now.id);
    this.#now = { id, choice, attempt, text: '', ends: [], thinking: false, over: false };
    return true;
  }

  #append(asking: Asking, text: string): boolean {
    if (!this.#now || !isSame(asking, this.#now)) return false;
    this.#now.text += text;
    if (text !== '') this.#now.ends.push(this.#now.text.length);
    return true;
  }

  /** A text that begins with reasoning but no tag continues a prompt that opened the reasoning. */
  #notice(asking: Asking, event: unknown): boolean {
    if (!this.#now || !isSame(asking, this.#now) || this.#now.thinking || !isObject(event)) return false;
    const { type, range } = event;
    this.#now.thinking = type === 'reasoning-delta' && Array.isArray(range) && range[0] === 0;
    return this.#now.thinking;
  }

  #end(id: string): void {
    if (this.#now?.id === id) this.#now.over = true;
    else this.#known.delete(id);
  }
}

const isSame = (a: Asking, b: Asking) => a.id === b.id && a.choice === b.choice && a.attempt === b.attempt;
