// The limits of the measured numbers, here and in test/speed.alone.test.ts and test/bundle.e2e.test.ts.

/** Time of a doubled input, against that of the single one. */
export const DOUBLING = 2.5;
/** 1 MB of one string argument in single characters, against the floor. */
export const ARGUMENT_TO_FLOOR = 10;
/** The last tenth of that argument, against the first. */
export const LAST_TO_FIRST_TENTH = 1.3;
/** Prose in deltas of four characters, against the floor, in the dialects of `LIMITED`. */
export const PROSE_TO_FLOOR = 3;
/** Bytes of '@dragoman/core/small', bundled for browsers, as servers send it today (brotli). */
export const BUNDLE_BYTES = 60_000;
/** Bytes by which the heap may grow over 64 MB of text or reasoning. */
export const HEAP_GROWTH = 4 * 1024 * 1024;
/** A delta of four characters through the bridge to the client's bytes, against a proxy that only passes it on. */
export const BRIDGE_TO_FLOOR = 5;
/** Right native calls through healing, against mode `native`, which does not read them. */
export const NATIVE_CALL_TO_PASSED = 1.15;
/** Bytes of heap that the bridge may keep of a character that has passed, where the API never repeats it. */
export const BRIDGE_BYTES_PASSED = 0.25;
/** And where it must be kept: an argument, a leaked call, a text that the Responses API repeats at its end. */
export const BRIDGE_BYTES_KEPT = 4;
/** An event of an upstream read, against eventsource-parser and JSON.parse alone. */
export const DECODE_TO_FLOOR = 4;
/** A delta of text written, against JSON.stringify of one whole object. */
export const ENCODE_TO_OBJECTS = 0.75;
/** Pieces a model has written when a client sees the first of a text. */
export const PIECES_TO_TEXT = 1;
/** Pieces between the one with the first character of an argument and its arrival, where a dialect streams. */
export const PIECES_TO_ARGUMENT = 0;
/** Our middleware for the AI SDK, against that of the peer. */
export const MIDDLEWARE_TO_PEER = 1.2;
/** A request or an event through the gateway, against a bare proxy that parses it and writes it anew. */
export const GATEWAY_TO_PARSED = 1.5;
/** A request of an agent through the gateway, against the same proxy: of a session it never saw, and later steps. */
export const AGENT_EMULATED = { first: 2.5, later: 2 };
export const AGENT_NATIVE = { first: 2, later: 1.5 };
/** A small answer with twenty tools, against the same without tools. */
export const SMALL_ANSWER_TOOLS = 2;
/** The same small answer in deepseek-v4, against hermes. */
export const SMALL_ANSWER_TO_HERMES = 2;
/** A stream whose client disconnects after ten times as many events, against one that disconnects early. */
export const LEAVING_LATE = 1.5;
/** `dragoman convert` on one core, against JSON.parse and JSON.stringify of the same lines. */
export const CONVERT_TO_FLOOR = 2;
/** Its time on two cores, against that on one: 1.8 times as fast. */
export const CONVERT_TWO_CORES = 1 / 1.8;
/** The CPU of `dragoman convert` for a file of one row, against a process that only reads, parses and writes it. */
export const CONVERT_START = 5;
/**
 * Milliseconds of CPU for the grammar of sixty deep tools that were never seen before, of any dialect and format. The
 * process has made one of each: the very first waits for its code to be compiled, and is only told.
 */
export const GRAMMAR_FIRST = 60;
/** And for the same tools again. */
export const GRAMMAR_AGAIN = 0.1;
/** A string argument of 1 MB that arrives whole in a call expression, against the same in hermes. */
export const EXPRESSION_TO_HERMES = 2;

/** The ten dialects that the project began with: prose is held to its limit in them. */
export const LIMITED: readonly string[] = [
  'alkaid',
  'xnl',
  'glm-4.5',
  'glm-4.7',
  'deepseek-v3.1',
  'deepseek-v3.2',
  'deepseek-v4',
  'deepseek-v4.1',
  'hermes',
  'qwen3-coder',
];
/** The first byte, of 99 in 100, of 3,000 streams opened at once: two workers, against a bare proxy that parses. */
export const HERD_TO_PARSED = 2;
/** The time of a request with two workers, against one: 1.7 times the throughput. */
export const TWO_WORKERS = 1 / 1.7;
/** The CPU of a start up to the first answer, against a bare HTTP server. */
export const COLD_START = 8;
/** The heap after very many different requests or sessions, against that after a part of them. */
export const FLAT_HEAP = 1.15;
/** The CPU of a token that the tiny model reads in a prompt, or writes, against plain products of as many floats. */
export const TINY_READ = 0.15;
export const TINY_WRITTEN = 0.4;
