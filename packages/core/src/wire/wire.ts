// One API as one object: everything that other code needs to know about it is a member here, so shared code reads a
// member and never compares a name. A new API is a folder beside this file and one line in index.ts.
// Pure: no clock, no randomness, no I/O. Ids and times come with the context.

import type {
  Answer,
  AnswerEvent,
  AnswerFormat,
  ApiError,
  ApiErrorCode,
  ModelRequest,
  Settings,
} from '../model/index.js';
import type { RepeatedLists } from '../model/repeated-bodies.js';
import type { AnswerAudit } from './audit.js';

/** One API, both sides: what clients send and receive, and what upstreams receive and send. */
export interface Wire<Name extends string = string> {
  /** Its name in configurations and in `ModelRequest.api`: `openai-chat`. */
  readonly name: Name;
  /** Its name for people: `OpenAI Chat`. */
  readonly title: string;
  /** The path after the version, in the address of a gateway as of an upstream: `/chat/completions`. */
  readonly path: string;
  /** Whether clients may use it. Otherwise it only serves to reach upstreams. */
  readonly served: boolean;
  /** What a request to an upstream holds: messages, or one prompt in the dialect's own form. */
  readonly takes: 'messages' | 'prompt';
  /** Whether every model served by this API calls tools natively: none of them only writes text. */
  readonly impliesTools: boolean;
  /** `own`: a request may hold only reasoning that the upstream itself made, and signed. Default: any. */
  readonly reasoning?: 'own';
  /** Which upstreams take freeform tools: any server of this API, or the vendor's. Absent: the API has none. */
  readonly freeform?: 'any' | 'vendor';
  /** The kinds of structured output that its requests can ask for. Absent: none, so a prompt has to. */
  readonly formats?: readonly AnswerFormat['type'][];
  /** Settings that its requests have no member for. */
  readonly lacks?: readonly (keyof Settings)[];
  /** Settings that its requests must have: without them `encodeRequest` writes a default. */
  readonly needs?: readonly (keyof Settings)[];
  readonly auth: WireAuth;
  /** Absent if no vendor has a public address for it and no client reads environment variables for it. */
  readonly vendor?: WireVendor;
  readonly ids: IdPrefixes;
  readonly stream: WireStream;
  readonly state: WireState;
  /**
   * Lists that clients send again in every request of a session, as a whole or with more items: what is made of the list
   * or of each item is kept.
   */
  readonly repeats?: RepeatedLists;
  /** The path at which clients count the tokens of a request, and the body of the reply. */
  readonly counts?: { readonly path: string; encode(tokens: number): Record<string, unknown> };
  /** Reads a client's request. Throws an ApiError `bad-request` that names the field and what was expected. */
  decodeRequest(body: unknown): ModelRequest;
  /** Writes the body of a request. A request that came by this API gets the same body, with every change made since. */
  encodeRequest(request: ModelRequest): Record<string, unknown>;
  /** Reads an upstream's whole answer as the events that its stream would have given. */
  decodeResponse(body: unknown): AnswerEvent[];
  /**
   * Writes a whole answer for a client: the same as the last event of its stream, in an API where that holds the whole
   * answer.
   */
  encodeResponse(answer: Answer, context: EncodeContext): Record<string, unknown>;
  /** Reads an upstream's stream. */
  createStreamDecoder(): StreamDecoder;
  /** Writes a stream for a client. */
  createStreamEncoder(context: EncodeContext): StreamEncoder;
  /** Writes an error as the response to a client. Inside a stream, the encoder writes it, as the event `error`. */
  encodeError(error: ApiError): EncodedError;
  /** Reads an upstream's error: the message for people, in whatever envelope it came. */
  decodeError(status: number, body: string): ApiError;
  /** Reads an upstream's answer strictly, for those who test it. Absent: it cannot be tested in this detail. */
  auditAnswer?(text: string, streamed: boolean): AnswerAudit;
}

export interface WireAuth {
  /** The header that holds a key. In `authorization` it is a bearer token. */
  readonly keyHeader: string;
  /** Sent to an upstream with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of a client that belong to its key: sent only to the address that the client itself chose. */
  readonly accountHeaders: readonly string[];
}

/** The environment variables that the vendor's own clients read, and the address they use without any. */
export interface WireVendor {
  readonly name: string;
  readonly url: string;
  /** Whether clients add the version to the address themselves. */
  readonly addsVersion: boolean;
  readonly variables: {
    readonly url: string;
    readonly key: string;
    /** Holds a bearer token. */
    readonly token?: string;
  };
}

/** The prefixes of new ids of calls and answers. */
export interface IdPrefixes {
  readonly call: string;
  readonly answer: string;
}

export interface WireStream {
  /** The media type, without parameters. */
  readonly type: string;
  /** The text to send while a stream is silent. */
  readonly heartbeat: string;
  /** Errors that clients understand in a stream only: one that comes before everything else begins a stream, too. */
  readonly carries?: readonly ApiErrorCode[];
  /** Whether the encoder keeps the whole answer, for its last event. */
  readonly keeps?: boolean;
  /** Whether an upstream's body that starts so is a stream. Otherwise it is a whole answer. */
  begins(start: string): boolean;
}

/** What this API expects a server to store between requests. */
export interface WireState {
  /** Members of a request that only a server that stores responses can honour. */
  readonly members: readonly string[];
  /**
   * Puts stored items in the place of the ids that refer to them. An id that is not found stays. Absent: requests of
   * this API refer to no earlier answer, and its answers are not stored.
   */
  resolveItems?(body: unknown, find: (id: string) => Record<string, unknown> | undefined): unknown;
  /** Reasoning that clients keep in a sealed form, and send back in it. Absent: this API has no such form. */
  readonly sealed?: {
    /** The member that holds the sealed form, in the `extra` of reasoning. */
    readonly key: string;
    /** Whether the client asks for it. */
    asked(request: ModelRequest): boolean;
    /** Puts reasoning in the place of the sealed forms in a body. */
    open(body: unknown, open: OpenSealed): Promise<unknown>;
  };
}

/** Opens a sealed text: undefined if it is another server's; the promise of undefined if it is broken. */
export type OpenSealed = (sealed: string) => Promise<string | undefined> | undefined;

/** What an encoder needs to write an answer. */
export interface EncodeContext {
  /** The request that is answered: some members are repeated in the answer. */
  request: ModelRequest;
  /** Makes a new id with this prefix: `call_`, `toolu_`, `msg_` … */
  newId(prefix: string): string;
  /** Whether issues, repairs and the like are reported, in the member `dragoman`. */
  report: boolean;
  /** Called with each complete item of an answer that later requests may refer to by its id (Responses). */
  onItem?: (item: Record<string, unknown>) => void;
  /** Whether the caller asks for the `rest` of long events. Default: each event is given at once. */
  inPieces?: boolean;
  /** Gives the response of an event as the client is to see it (Responses), but for that of the last event. */
  show?: (response: Record<string, unknown>) => Record<string, unknown>;
}

/** Takes events and gives the text of the stream; '' where there is nothing to send yet. */
export interface StreamEncoder {
  encode(event: AnswerEvent): string;
  /**
   * Gives what still waits, and the end of the stream. Called once, after the last event; gives '' after an `error`.
   * `response`: what the caller made of the `last` one.
   */
  end(response?: Record<string, unknown>): string;
  /** Gives the whole response that `end` will write, to be stored first. Undefined if there is none, or it has failed. */
  last?(): Record<string, unknown> | undefined;
  /**
   * Gives the next piece of an event that is written in pieces (`inPieces`), then the events after it that had to wait;
   * '' when nothing waits. The caller calls it until it gives '', and only then `encode` or `end` again. So an event that
   * repeats megabytes of the request is never in memory as a whole.
   */
  rest?(): string;
}

/** Takes the text of a stream and gives events. `finish` gives an `error` if the stream did not end properly. */
export interface StreamDecoder {
  feed(chunk: string): AnswerEvent[];
  finish(): AnswerEvent[];
}

/** An HTTP response. */
export interface EncodedError {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}
