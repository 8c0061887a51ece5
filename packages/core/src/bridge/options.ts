// The options of the bridge, and the events it reports while it works.

import type { Dialect, RenderOptions } from '../engine/dialect.js';
import type { Limits, Policies } from '../engine/parser-options.js';
import type { Registry } from '../engine/registry.js';
import type { AnswerEvent, Extra, Mend, ModelRequest, Move, ParseEvent, Reask } from '../model/index.js';
import type { IdPrefixes } from '../wire/index.js';
import type { RoleShape } from './history/role-shapes.js';
import type { UpstreamRequest } from './upstream/upstream.js';

export interface BridgeOptions {
  /** Where dialects are found by name. Default: all of the library. */
  dialects?: Registry;
  /** A dialect or its name; `auto`, the default, chooses by the model's name, else teaches `alkaid`. */
  dialect?: Dialect | string;
  /** Heal: the dialects whose calls are looked for in text. Default: the one of the model's name, else none. */
  watch?: readonly (Dialect | string)[];
  /** How often a model that failed is asked again. Default 2. */
  reasks?: number;
  /**
   * `stream`: arguments are delivered while they are written; a call that turns out wrong can then no longer be
   * asked for again. `whole`: a call is delivered when it is complete and right. Default `stream`; calls of
   * strict tools, and answers that are not streamed, are always whole.
   */
  delivery?: 'stream' | 'whole';
  /**
   * What happens to calls that occur word for word in a user's message or a tool's result. Default `mark`; `refuse` for
   * calls that are found in the text of a native upstream.
   */
  echoes?: 'mark' | 'refuse';
  /**
   * `mend`: faults of the conversation that upstreams refuse are mended before it is sent, and reported: arguments that
   * are no JSON, calls without results, results without calls, ids used twice, empty turns. `exact`: it is sent as it
   * came. Default `mend`; in the mode `native` `exact`.
   */
  history?: 'mend' | 'exact';
  /**
   * The order of roles that upstreams get: `as-is`; `strict`, with one system message at the front and no two messages
   * of the user or the assistant in a row; `alternate`, which also begins with the user and has the assistant between
   * results and the user; `no-system`, without the system role. Where an upstream refuses one, the next is tried, and
   * remembered for the model; never with `as-is`. Default `auto`: `strict` for upstreams that only write text, else as it
   * came until that is refused; in the mode `native` `as-is`.
   */
  roles?: 'auto' | RoleShape;
  /** How prompts are written. */
  render?: Pick<RenderOptions, 'thinking' | 'safety' | 'language' | 'short' | 'template'>;
  /** The upstream's own template opens the reasoning, so that its answers begin inside it. Default false. */
  inReasoning?: boolean;
  /**
   * Renames members that are nearly named as the schema names them (`filePath` for `file_path`), where the input then
   * fits. Calls are then delivered when they are complete. Default false.
   */
  nearKeys?: boolean;
  policies?: Policies;
  limits?: Partial<Limits>;
  /** Called for every event of the bridge, for logs and inspectors. */
  onEvent?: (event: BridgeEvent) => void;
  /** Makes a fresh id with this prefix. Default: random. */
  newId?: (prefix: string) => string;
  /** The prefixes of fresh ids. Default: those of the API that the request used. */
  ids?: IdPrefixes;
}

/** The events of one request and its answer, in order. `attempt` counts from 0 within a choice. */
export type BridgeEvent =
  | { type: 'request'; request: ModelRequest }
  | { type: 'mended'; mended: Mend[] } // again, and whole, when an upstream refuses the roles
  | { type: 'endpoint'; name: string; moved?: Move } // one of several is asked, after a move from another
  | { type: 'upstream-request'; choice: number; attempt: number; request: UpstreamRequest }
  | { type: 'upstream-members'; choice: number; attempt: number; members: Extra } // see UpstreamContext
  | { type: 'upstream-text'; choice: number; attempt: number; text: string }
  | { type: 'parse'; choice: number; attempt: number; event: ParseEvent }
  | { type: 'reask'; reask: Reask }
  | { type: 'tools-refused'; message: string }
  | { type: 'answer'; event: AnswerEvent };
