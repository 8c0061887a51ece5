// A configuration on its way to another thread or process, in parts: one of 20,000 models takes tens of milliseconds to be
// written, and as long to be read, and others wait meanwhile.

import type { Pause } from '../app/steps.js';
import type { UpstreamConfig } from '../config/config.js';
import type { Channel } from './channel.js';
import type { PlainConfig } from './plain-config.js';

/** Models, keys and upstreams of one part, each. */
const SIZE = 500;

interface ConfigPart extends Pick<PlainConfig, 'models' | 'keys'> {
  /** Everything that is in no list; with the first part. */
  head?: Omit<PlainConfig, 'models' | 'keys' | 'upstreams'>;
  upstreams: [name: string, upstream: UpstreamConfig][];
  isLast: boolean;
}

/** The name of the question to the other side, for each part. */
const QUESTION = 'config-part';

export function* partsOf({ models, keys, upstreams, ...head }: PlainConfig): Generator<ConfigPart> {
  const named = [...upstreams];
  const most = Math.max(models.length, keys.length, named.length);
  for (let at = 0; at === 0 || at < most; at += SIZE)
    yield {
      ...(at === 0 && { head }),
      models: models.slice(at, at + SIZE),
      keys: keys.slice(at, at + SIZE),
      upstreams: named.slice(at, at + SIZE),
      isLast: at + SIZE >= most,
    };
}

/** Puts parts together. */
export class JoinedConfig {
  #parts: ConfigPart[] = [];

  /** Gives the configuration with its last part. */
  add(part: ConfigPart): PlainConfig | undefined {
    if (part.head) this.#parts = [];
    this.#parts.push(part);
    if (!part.isLast) return undefined;
    const parts = this.#parts;
    this.#parts = [];
    const head = parts[0]?.head;
    if (!head) throw new Error('the first part of a configuration is missing');
    return {
      ...head,
      models: parts.flatMap(({ models }) => models),
      keys: parts.flatMap(({ keys }) => keys),
      upstreams: new Map(parts.flatMap(({ upstreams }) => upstreams)),
    };
  }
}

/** What the other side answers. It may take its time: the next part comes behind the answer. */
export function configAnswers(take: (part: ConfigPart) => unknown): Record<typeof QUESTION, typeof take> {
  return { [QUESTION]: take };
}

/** Settles when the other side has all of it. */
export async function sendConfig(channel: Channel, config: PlainConfig, pause: Pause): Promise<void> {
  let isFirst = true;
  for (const part of partsOf(config)) {
    if (!isFirst) await pause();
    isFirst = false;
    await channel.ask(QUESTION, part);
  }
}

/** Sends configurations to one other side, one after the other; of those that wait, the newest. */
export class ConfigSender {
  #next: PlainConfig | undefined;
  #sending: Promise<void> | undefined;

  constructor(
    readonly channel: Channel,
    readonly pause: Pause,
    /** Called if the other side lives and does not take a configuration. */
    readonly onFail: (error: unknown) => void,
  ) {}

  /** Settles when the other side has the newest configuration, or has ended. */
  get sent(): Promise<void> | undefined {
    return this.#sending;
  }

  send(config: PlainConfig): void {
    this.#next = config;
    this.#sending ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#take(); next; next = this.#take())
      await sendConfig(this.channel, next, this.pause).catch((error) => {
        if (!this.channel.closed) this.onFail(error);
      });
    this.#sending = undefined;
  }

  #take(): PlainConfig | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }
}
