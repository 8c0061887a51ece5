// What every API in this room offers, under the same names, so that whoever stands behind can speak any of them.
// Pure: no clock, no randomness, no I/O. Ids and times come in with the context.

import type { Answer, AnswerEvent, ApiError, ApiName, ModelRequest } from '../model/index.js';

/** One API, both sides: what a client says and hears, and what an upstream hears and says. */
export interface Wire {
  readonly name: ApiName;
  /** A client's request. Throws an ApiError `bad-request` that names the field and says what was expected. */
  decodeRequest(body: unknown): ModelRequest;
  /** The body of a request. For one that came by this API: the same body, with every change made since. */
  encodeRequest(request: ModelRequest): Record<string, unknown>;
  /** An upstream's whole answer as events: what its stream would have said. */
  decodeResponse(body: unknown): AnswerEvent[];
  /** A whole answer for a client: what the last event of its stream would say, where that says it all. */
  encodeResponse(answer: Answer, context: EncodeContext): Record<string, unknown>;
  /** Reads an upstream's stream. */
  createStreamDecoder(): StreamDecoder;
  /** Writes a stream for a client. */
  createStreamEncoder(context: EncodeContext): StreamEncoder;
  /** An error as a client's answer. Inside a stream the encoder says it, as the event `error`. */
  encodeError(error: ApiError): EncodedError;
  /** An upstream's error: the message for people, out of whatever envelope it came in. */
  decodeError(status: number, body: string): ApiError;
  /** What to send into a silent stream. */
  readonly heartbeat: string;
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

/** Events in, server-sent events out: what is given is sent as it is; '' where nothing is to be said yet. */
export interface StreamEncoder {
  encode(event: AnswerEvent): string;
  /** What still waits, and the end. To be called once, behind the last event; after an `error` it gives ''. */
  end(): string;
}

/** Text of an SSE stream in, events out. `finish` gives an `error` if the stream had no proper end. */
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
