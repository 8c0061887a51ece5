// The items of a stream of the Responses API. What an item is comes several times: when it is added, in deltas, when it
// is done, and in the response at the end. Clients read any of these places, so all must agree.

import type { OrderFaults } from '../audit.js';
import { listOf, memberOf, numberOf, stringOf } from '../values.js';

interface StreamedItem {
  isDone: boolean;
  /** As it was added. */
  first: unknown;
  /** The deltas of its arguments. */
  arguments: string;
  /** The deltas of its texts, by the index of the part. */
  texts: Map<number, string>;
}

const PREFIX = 'response.';
/** What does not change from place to place. */
const IDENTITY = ['type', 'call_id', 'name'];

/** Clients look for texts by the type of their part. */
export function textTypeFault(part: unknown): { message: string } | undefined {
  const type = stringOf(part, 'type') ?? '';
  if (stringOf(part, 'text') === undefined || type === 'output_text') return undefined;
  return { message: `A text has the type ${JSON.stringify(type.slice(0, 40))} instead of "output_text".` };
}

export class StreamedItems {
  readonly #faults: OrderFaults;
  readonly #items = new Map<number, StreamedItem>();
  /** A member of a message that is not as the API has it. */
  message: { message: string } | undefined;

  constructor(faults: OrderFaults) {
    this.#faults = faults;
  }

  read(type: string, value: unknown): void {
    const at = numberOf(value, 'output_index');
    if (at === undefined) return;
    const event = type.slice(PREFIX.length);
    if (event === 'output_item.added') this.#add(at, memberOf(value, 'item'));
    else this.#grow(event, value, this.#open(at, type));
  }

  #add(at: number, first: unknown): void {
    this.#faults.damagedUnless(!this.#items.has(at), 'An item is added twice.');
    this.#items.set(at, { isDone: false, first, arguments: '', texts: new Map() });
  }

  #open(at: number, type: string): StreamedItem | undefined {
    const item = this.#items.get(at);
    this.#faults.damagedUnless(item?.isDone === false, `${type} belongs to no open item.`);
    return item;
  }

  #grow(event: string, value: unknown, item: StreamedItem | undefined): void {
    if (!item) return;
    const part = numberOf(value, 'content_index') ?? 0;
    this.#sameId(item, stringOf(value, 'item_id'), event);
    if (stringOf(item.first, 'type') === 'message') this.message ??= textTypeFault(memberOf(value, 'part'));
    if (event === 'function_call_arguments.delta') item.arguments += stringOf(value, 'delta') ?? '';
    else if (event === 'output_text.delta')
      item.texts.set(part, (item.texts.get(part) ?? '') + (stringOf(value, 'delta') ?? ''));
    else if (event === 'function_call_arguments.done') this.#sameArguments(item, value, event);
    else if (event === 'output_text.done') this.#sameText(item, part, value, event);
    else if (event === 'content_part.done') this.#sameText(item, part, memberOf(value, 'part'), event);
    else if (event === 'output_item.done') {
      item.isDone = true;
      this.#same(item, memberOf(value, 'item'), event);
    }
  }

  /** Compares the items with the response at the end. */
  end(last: unknown): void {
    const output = listOf(last, 'output');
    const items = [...this.#items.values()];
    this.#faults.damagedUnless(
      items.every(({ isDone }) => isDone),
      'The response ends before an item is done.',
    );
    this.#faults.damagedUnless(
      output.length === items.length,
      'The last event has other items than the stream.',
    );
    for (const [at, item] of this.#items) if (at in output) this.#same(item, output[at], 'completed');
  }

  /** Clients find an item by its id. Some servers leave it out. */
  #sameId({ first }: StreamedItem, id: string | undefined, event: string): void {
    const known = stringOf(first, 'id');
    const isSame = id === undefined || known === undefined || id === known;
    this.#faults.damagedUnless(isSame, `The id of an item differs between output_item.added and ${event}.`);
  }

  #same(item: StreamedItem, later: unknown, event: string): void {
    this.#sameId(item, stringOf(later, 'id'), event);
    for (const key of IDENTITY) {
      const [one, other] = [stringOf(item.first, key), stringOf(later, key)];
      const isSame = one === other || item.first === undefined || later === undefined;
      this.#faults.damagedUnless(
        isSame,
        `The ${key} of an item differs between output_item.added and ${event}.`,
      );
    }
    if (stringOf(later, 'type') === 'function_call') this.#sameArguments(item, later, event);
    if (stringOf(later, 'type') !== 'message') return;
    for (const [part, content] of listOf(later, 'content').entries())
      this.#sameText(item, part, content, event);
  }

  #sameArguments(item: StreamedItem, holder: unknown, event: string): void {
    const whole = stringOf(holder, 'arguments');
    const isSame = whole === undefined || whole === item.arguments;
    this.#faults.damagedUnless(isSame, `The arguments of ${event} differ from their deltas.`);
  }

  #sameText(item: StreamedItem, part: number, holder: unknown, event: string): void {
    const whole = stringOf(holder, 'text');
    const deltas = item.texts.get(part) ?? '';
    const isSame = whole === undefined || whole === deltas;
    const fault =
      deltas === ''
        ? 'A text comes without deltas: clients that show them show nothing.'
        : `The text of ${event} differs from its deltas.`;
    this.#faults.damagedUnless(isSame, fault);
  }
}
