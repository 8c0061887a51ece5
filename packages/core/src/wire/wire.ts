// One API as one value: everything that the rest of the code has to know about it is a field here, so that shared code
// asks for a field and never for a name. A new API is a folder beside this file and one line in index.ts.
// Pure: no clock, no randomness, no I/O. Ids and times come in with the context.

import type { Answer, AnswerEvent, ApiError, ModelRequest } from '../model/index.js';

/** One API, both sides: what a client sends and receives, and what an upstream receives and sends. */
export interface Wire<Name extends string = string> {
  /** In configurations, and in `ModelRequest.api`: `openai-chat`. */
  readonly name: Name;
  /** For people: `OpenAI Chat`. */
  readonly title: string;
  /** What follows the version in an address, of a gateway as of an upstream: `/chat/completions`. */
  readonly path: string;
  /** Whether clients may ask by it. Otherwise it is only a way to reach a model. */
  readonly served: boolean;
  /** What a request to an upstream holds: messages, or one prompt in the dialect's own form. */
  readonly takes: 'messages' | 'prompt';
  /** Whether every model behind it has tools: nobody serves a model that only writes text by this API. */
  readonly impliesTools: boolean;
  readonly auth: WireAuth;
  /** Absent: no vendor has given it a public address, and no client reads the environment for it. */
  readonly vendor?: WireVendor;
  readonly ids: IdPrefixes;
  readonly stream: WireStream;
  readonly state: WireState;
  /** Where clients ask how many tokens a request comes to, and the body of the reply. */
  readonly counts?: { readonly path: string; encode(tokens: number): Record<string, unknown> };
  /** A client's request. Throws an ApiError `bad-request` that names the field and says what was expected. */
  decodeRequest(body: unknown): ModelRequest;
  /** The body of a request. For one that came by this API: the same body, with every change made since. */
  encodeRequest(request: ModelRequest): Record<string, unknown>;
  /** An upstream's whole answer as events: those its stream would have given. */
  decodeResponse(body: unknown): AnswerEvent[];
  /** A whole answer for a client: the same as the last event of its stream, in an API where that holds the whole answer. */
  encodeResponse(answer: Answer, context: EncodeContext): Record<string, unknown>;
  /** Reads an upstream's stream. */
  createStreamDecoder(): StreamDecoder;
  /** Writes a stream for a client. */
  createStreamEncoder(context: EncodeContext): StreamEncoder;
  /** An error as a client's answer. Inside a stream the encoder says it, as the event `error`. */
  encodeError(error: ApiError): EncodedError;
  /** An upstream's error: the message for people, out of whatever envelope it came in. */
  decodeError(status: number, body: string): ApiError;
}

export interface WireAuth {
  /** The header that holds a key. In `authorization` it is a bearer token. */
  readonly keyHeader: string;
  /** Sent to an upstream with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of a client that belong to its key: passed on to where the client itself points, and nowhere else. */
  readonly accountHeaders: readonly string[];
}

/** The variables by which the vendor's own clients are configured, and where they ask without any. */
export interface WireVendor {
  readonly name: string;
  readonly url: string;
  /** Clients add the version to the address themselves. */
  readonly addsVersion: boolean;
  readonly variables: {
    readonly url: string;
    readonly key: string /** A bearer token. */;
    readonly token?: string;
  };
}

/** How fresh ids of calls and answers begin. */
export interface IdPrefixes {
  readonly call: string;
  readonly answer: string;
}

export interface WireStream {
  /** The media type, without parameters. */
  readonly type: string;
  /** What to send into a silent stream. */
  readonly heartbeat: string;
  /** Whether an upstream's body with this start is a stream. Otherwise it is a whole answer. */
  begins(start: string): boolean;
}

/** What this API expects a server to keep between requests. */
export interface WireState {
  /** Members of a request that only a server that keeps something can honour. */
  readonly members: readonly string[];
  /**
   * The body with kept items in the place of the ids that name them. What is not found stays an id. Absent: requests
   * of this API name nothing that was answered before, and its answers are not kept.
   */
  resolveItems?(body: unknown, find: (id: string) => Record<string, unknown> | undefined): unknown;
}

/** What an answer is written for. */
export interface EncodeContext {
  /** The request it answers: some of it is repeated. */
  request: ModelRequest;
  /** A fresh id with this prefix: `call_`, `toolu_`, `msg_` … */
  newId(prefix: string): string;
  /** Whether issues, repairs and the like are told, in the member `dragoman`. */
  report: boolean;
  /** Told of each complete item of an answer that later requests may name by its id (Responses). */
  onItem?: (item: Record<string, unknown>) => void;
}

/** Events in, the text of the stream out; '' where there is nothing to send yet. */
export interface StreamEncoder {
  encode(event: AnswerEvent): string;
  /** What still waits, and the end. To be called once, behind the last event; after an `error` it gives ''. */
  end(): string;
}

/** Text of a stream in, events out. `finish` gives an `error` if the stream had no proper end. */
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
