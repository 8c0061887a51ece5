// The body of a request to an upstream: what the API makes of the request, with the members that the engine needs, those
// of the client that only engines know, and those of the configuration, which come last.
//
// Some members can be left out: those that are our own wish (usage in a stream, special tokens), the client's effort, and
// the engine's switch of thinking.
// An upstream that refuses one of them is asked again without it, and is not sent it again for the same model.

import { type ApiError, type Extra, isObject, setMember } from '../../model/index.js';
import { jsonParts, stringifyConstants } from '../../model/json-parts.js';
import type { Wire } from '../../wire/index.js';
import { type Engine, engineOf, otherDialect } from '../engines/engines.js';
import type { UpstreamOptions } from './http-upstream.js';
import { ModelMemory } from './model-memory.js';
import { EFFORT, refusedBy } from './refused-members.js';
import type { SpecialTokens, UpstreamRequest } from './upstream.js';

export interface WrittenBody {
  /** The JSON text, or its bytes where the upstream has its own way to encode it. */
  json: string | Uint8Array<ArrayBuffer>;
  /** The members that can be left out. */
  wishes: readonly string[];
  /** Those that are left out. */
  left: readonly string[];
  /** Those of them that the client sent. */
  ignored: readonly string[];
  /** Gives the members that the API did not write, as a JSON merge patch on its body. */
  patch(): Extra;
}

/** The member by which chat streams are asked for usage. */
const USAGE = 'stream_options';
/** The member by which most engines are asked for special tokens; it is tried where the engine is unknown. */
const TOKENS: Extra = { skip_special_tokens: false };

interface KnownModel {
  /** The members that it refused. */
  refused: readonly string[];
  /** The member in which it writes reasoning, if that is not the usual one. */
  reasoningMember?: string | undefined;
}

/** Writes the bodies for one upstream, and remembers what its models refused. */
export class BodyWriter {
  readonly #models = new ModelMemory<KnownModel>();
  /** An answer lacked its special tokens, and asking for them was accepted. */
  #asksTokens = false;

  constructor(
    readonly wire: Wire,
    readonly options: UpstreamOptions,
  ) {}

  write(request: UpstreamRequest, left = this.#known(request).refused): WrittenBody {
    const { stream = true, model = request.model, body = {} } = this.options;
    const { reasoningMember } = this.#known(request);
    const known = reasoningMember === undefined ? {} : { reasoningMember };
    const encoded = this.wire.encodeRequest({ ...request, model, stream, includeUsage: stream, ...known });
    const thinking = this.#thinking(request);
    const tokens = request.specialTokens ? this.#tokenMembers(request) : {};
    const members = withTokens({ ...encoded, ...thinking, ...request.members }, tokens);
    const efforts = new Set([EFFORT, ...Object.keys(thinking)]);
    const wishes = [USAGE, ...efforts, ...Object.keys(tokens)].filter((name) => Object.hasOwn(members, name));
    const ignored = left.filter((name) => efforts.has(name) && wishes.includes(name));
    for (const name of left) if (wishes.includes(name)) delete members[name];
    const sent = patched(members, body);
    return { json: this.#json(sent), wishes, left, ignored, patch: () => patchOf(encoded, sent) };
  }

  #json(body: Extra): string | Uint8Array<ArrayBuffer> {
    const { encodeBody } = this.options;
    return encodeBody ? encodeBody.parts(jsonParts(body, encodeBody.text)) : stringifyConstants(body);
  }

  /** Gives another body if the error is about a member that can be left out. */
  writeWithout(
    error: ApiError,
    request: UpstreamRequest,
    { wishes, left }: WrittenBody,
  ): WrittenBody | undefined {
    const refused = refusedBy(error, wishes).filter((name) => !left.includes(name));
    return refused.length > 0 ? this.write(request, [...left, ...refused]) : undefined;
  }

  /** Remembers what a body that was accepted shows. */
  accept({ wishes, left }: WrittenBody, request: UpstreamRequest): void {
    const known = this.#known(request);
    if (left.some((name) => !known.refused.includes(name)))
      this.#models.set(request.model, { ...known, refused: [...new Set([...known.refused, ...left])] });
    const [name = ''] = Object.keys(TOKENS);
    if (request.strippedTokens && wishes.includes(name) && !left.includes(name)) this.#asksTokens = true;
  }

  /** Learns in which member the model writes reasoning; undefined: the usual one. */
  learnReasoning(request: UpstreamRequest, reasoningMember: string | undefined): void {
    const known = this.#known(request);
    if (known.reasoningMember !== reasoningMember)
      this.#models.set(request.model, { ...known, reasoningMember });
  }

  /** Whether the upstream is asked for special tokens. */
  specialTokens(): SpecialTokens {
    const engine = this.#engine();
    const members = Object.keys(this.#tokenMembers({ specialTokens: [] }));
    const asked = members.length > 0 && !members.some((name) => this.#isRefused(name));
    if (asked) return { state: 'asked', advice: engine?.advice ?? OTHERWISE };
    if (engine) return { state: 'never', advice: engine.advice };
    const refused = Object.keys(TOKENS).some((name) => this.#isRefused(name));
    return { state: refused ? 'never' : 'unasked', advice: OTHERWISE };
  }

  switchesThinking(): boolean {
    return Object.keys(this.#engine()?.thinking?.(true) ?? {}).length > 0;
  }

  #known({ model }: UpstreamRequest): KnownModel {
    return this.#models.get(model) ?? { refused: [] };
  }

  /** Whether any model refused the member. */
  #isRefused(name: string): boolean {
    return [...this.#models.values()].some(({ refused }) => refused.includes(name));
  }

  #tokenMembers({
    specialTokens = [],
    strippedTokens,
  }: Pick<UpstreamRequest, 'specialTokens' | 'strippedTokens'>): Extra {
    const engine = this.#engine();
    if (engine) return engine.specialTokens?.(specialTokens, this.wire.takes) ?? {};
    return strippedTokens || this.#asksTokens ? TOKENS : {};
  }

  #thinking({ settings: { thinking } }: UpstreamRequest): Extra {
    if (thinking === undefined || this.wire.takes !== 'messages') return {};
    return this.#engine()?.thinking?.(thinking) ?? {};
  }

  #engine(): Engine | undefined {
    const { engine } = this.options;
    return engineOf(typeof engine === 'function' ? engine() : engine);
  }
}

/** What is advised for an unknown engine. */
const OTHERWISE = `name the engine of the upstream (engine: vllm), or set body: {skip_special_tokens: false} for it, or ${otherDialect}`;

/** Adds the members for special tokens. A list is joined to the one that a grammar needs. */
function withTokens(members: Extra, tokens: Extra): Extra {
  const joined = Object.entries(tokens).map(([name, value]) => {
    const before = members[name];
    const both = Array.isArray(before) && Array.isArray(value);
    return [name, both ? [...new Set([...before, ...value])] : value];
  });
  return { ...members, ...Object.fromEntries(joined) };
}

/** Gives the members in which the second differs: whole values, and null for those that it lacks. */
function patchOf(before: Extra, after: Extra): Extra {
  const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return Object.fromEntries(names.map((name) => [name, after[name] ?? null]));
}

/** Applies a JSON merge patch (RFC 7396): members are added or replaced, objects are merged, null removes one. */
export function patched(value: Extra, patch: Extra): Extra {
  const result: Extra = { ...value };
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) delete result[name];
    else if (isObject(member)) {
      const before = Object.hasOwn(result, name) ? result[name] : undefined;
      setMember<unknown>(result, name, patched(isObject(before) ? before : {}, member));
    } else setMember<unknown>(result, name, member);
  }
  return result;
}
