// The thread of the lane: the whole gateway without a server. Runs when it is imported.

import { parentPort, workerData } from 'node:worker_threads';
import type { ReplyStream } from '@dragoman/core/bridge';
import type { AppRequest } from '../app/app-request.js';
import { joined } from '../app/request-body.js';
import { collectGarbage } from '../server/give-back.js';
import { createGatewayApp, type SharedServices } from '../server/serve.js';
import { decodeUtf8 } from '../server/utf8.js';
import { type Answers, Channel } from './channel.js';
import type { LanePiece, LaneQuestion, LaneReply, LaneStart } from './lane.js';
import { fromPlainConfig, type PlainConfig } from './plain-config.js';
import { fromPlainError, type PlainError } from './plain-error.js';
import { configAnswers, JoinedConfig } from './sent-config.js';
import { createWorkerInspector } from './shared-inspector.js';
import { ThreadPeer } from './thread-peer.js';
import { createWorkerStore } from './worker-store.js';

if (!parentPort) throw new Error('lane-thread.js runs in a thread of the gateway');

const { worker, detect, sendsLog } = workerData as LaneStart;
const answers: Record<string, Answers[string]> = {};
const channel = new Channel(new ThreadPeer(parentPort), answers);

/**
 * Bytes of a body, or characters of a stored response, from which on garbage is collected at once: an idle thread would
 * keep many times as much.
 */
const HUGE = 4 * 1024 * 1024;

class LaneRequest implements AppRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly address: string | undefined;
  readonly decode = decodeUtf8;
  stream: ReplyStream | undefined;
  /** A piece, or a whole answer, that was too long to be sent at once, and how much of it was sent. */
  #text = '';
  #sent = 0;
  #left: DOMException | undefined;
  readonly #waiting: ((reason: unknown) => void)[] = [];

  constructor(readonly question: LaneQuestion) {
    this.method = question.method;
    this.path = question.path;
    this.search = question.search;
    this.address = question.address;
  }

  readonly header = (name: string): string | null => this.question.headers[name] ?? null;

  headers(): Record<string, string> {
    return this.question.headers;
  }

  /** One piece: of several, the body would be copied once more. */
  async pieces(take: (piece: Uint8Array) => void): Promise<void> {
    const body = joined(this.question.body.splice(0));
    take(body);
    // Its bytes and its text are garbage when it was read.
    if (body.length > HUGE) setImmediate(collectGarbage);
  }

  /** Gives a text in pieces from now on. */
  giveInPieces(text: string): void {
    this.#text = text;
    this.#sent = 0;
  }

  async nextPiece(): Promise<LanePiece | undefined> {
    if (this.#sent >= this.#text.length) {
      const text = await this.stream?.next();
      if (text === undefined) return undefined;
      this.giveInPieces(text);
    }
    const end = endOfPiece(this.#text, this.#sent);
    const text = this.#text.slice(this.#sent, end);
    this.#sent = end;
    // Its last piece keeps nothing; before, the whole text is in memory.
    const held = end < this.#text.length ? this.#text.length : 0;
    if (held === 0) this.giveInPieces('');
    return { text, held };
  }

  onLeave(leave: (reason: unknown) => void): void {
    if (this.#left) leave(this.#left);
    else this.#waiting.push(leave);
  }

  leave(): void {
    if (this.#left) return;
    this.#left = new DOMException('The client has left.', 'AbortError');
    for (const leave of this.#waiting) leave(this.#left);
  }
}

const running = new Map<number, LaneRequest>();

/**
 * Characters that the other thread gets at once: it copies and encodes them, and others wait meanwhile. Responses repeats
 * the tools of its request in a whole answer.
 */
const PIECE = 256 * 1024;

/** Not between the halves of a character. */
function endOfPiece(text: string, from: number): number {
  const end = from + PIECE;
  if (text.length <= end) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

let isHuge = false;

function end(id: number): void {
  if (!running.delete(id) || running.size > 0 || !isHuge) return;
  isHuge = false;
  void collectGarbage();
}

const shared: SharedServices = {
  worker,
  store: createWorkerStore(channel, (length) => {
    if (length > HUGE) setImmediate(collectGarbage);
  }),
  // The other thread has counted the request.
  count: async () => ({ count: 0, milliseconds: 0 }),
  limiter: { take: async () => ({ ok: true }) },
  room: { limit: () => Number.POSITIVE_INFINITY, more: async () => false },
  metrics(own) {
    answers.values = () => own.values();
    return own;
  },
  inspector(own) {
    Object.assign(answers, createWorkerInspector(own, channel).answers);
    return own;
  },
};

const write = sendsLog ? { write: (line: string) => channel.tell('log', line) } : {};
let begin: (config: PlainConfig) => void;
const started = new Promise<PlainConfig>((tell) => {
  begin = tell;
}).then((config) => createGatewayApp(fromPlainConfig(config), { detect, ...write }, shared));
const parts = new JoinedConfig();
let hasBegun = false;

Object.assign(answers, {
  ...configAnswers(async (part) => {
    const config = parts.add(part);
    if (!config) return;
    if (!hasBegun) begin(config);
    else if (!(await started).reload(fromPlainConfig(config))) throw new Error('it cannot be used');
    hasBegun = true;
  }),
  async answer(question: LaneQuestion): Promise<LaneReply> {
    const request = new LaneRequest(question);
    // Before anything is waited for: its client may leave meanwhile.
    running.set(question.id, request);
    const { app } = await started;
    isHuge ||= question.body.reduce((sum, { length }) => sum + length, 0) > HUGE;
    const reply = await app.answer(request);
    if (!reply) throw new Error(`no route at ${question.path}`);
    const { body, ...head } = reply;
    if (typeof body !== 'string') {
      request.stream = body;
      // What the request has left behind, before its answer takes memory, too.
      if (isHuge) await collectGarbage();
      return head;
    }
    if (body.length > PIECE) {
      request.giveInPieces(body);
      return { ...head, headers: { ...head.headers, 'content-length': String(Buffer.byteLength(body)) } };
    }
    end(question.id);
    return { ...head, body };
  },
  async next(id: number): Promise<LanePiece | undefined> {
    const piece = await running.get(id)?.nextPiece();
    if (piece === undefined) end(id);
    return piece;
  },
  leave(id: number): void {
    running.get(id)?.leave();
    end(id);
  },
  abort: async (error: PlainError) =>
    (await started).app.abort(
      fromPlainError(error) as Parameters<Awaited<typeof started>['app']['abort']>[0],
    ),
  close: async () => (await started).close(),
});
