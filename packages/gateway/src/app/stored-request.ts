// One request for what is stored: read a response, delete it, list its input items. A stored response may be as large as a
// body, so it is read under the same limits, and a large one by the lane.
//
//   GET, DELETE /v1/responses/{id}      GET /v1/responses/{id}/input_items

import { errorReply, type Reply, unlessAborted } from '@dragoman/core/bridge';
import type { Wire } from '@dragoman/core/wire';
import type { ClientResponses } from '../responses/index.js';
import type { AppContext } from './app.js';
import type { AppRequest } from './app-request.js';
import { StoredSize } from './stored-size.js';
import { WatchedStream } from './watched-stream.js';

interface StoredRoute {
  wire: Wire;
  find(kept: ClientResponses): Promise<unknown>;
}

/** Undefined if the request is not for something stored. */
export function storedRouteOf(request: AppRequest, wires: readonly Wire[]): StoredRoute | undefined {
  const { method, search } = request;
  const path = request.path.startsWith('/v1/') ? request.path.slice('/v1'.length) : request.path;
  for (const wire of wires) {
    if (!wire.served || !wire.state.resolveItems || !path.startsWith(`${wire.path}/`)) continue;
    const [id = '', list, ...rest] = path.slice(wire.path.length + 1).split('/');
    if (id === '' || rest.length > 0) return undefined;
    const isRead = method === 'GET' || method === 'HEAD';
    if (list === 'input_items' && isRead)
      return { wire, find: (kept) => kept.inputItems(id, new URLSearchParams(search)) };
    if (list !== undefined) return undefined;
    if (isRead) return { wire, find: (kept) => kept.get(id) };
    if (method === 'DELETE') return { wire, find: (kept) => kept.delete(id) };
  }
  return undefined;
}

export async function answerStored(
  request: AppRequest,
  { wire, find }: StoredRoute,
  context: AppContext,
): Promise<Reply> {
  try {
    const plan = context.plan();
    const key = await plan.admit(request, context);
    const client = await plan.scopeOf(request, key);
    return await counted(request, context, (count) => find(context.responses.of(client, count)));
  } catch (error) {
    return errorReply(wire.path, error, context.wires);
  }
}

/** Answers as one of the requests that run at once, with a share of what all of them may hold. */
async function counted(
  request: AppRequest,
  { count, room, work, lane }: AppContext,
  find: (count: StoredSize['count']) => Promise<unknown>,
): Promise<Reply> {
  while (count.full && (await room?.more()));
  const { aborter, leave } = count.enter();
  const share = work.open();
  request.onLeave((reason) => aborter.abort(reason));
  const stored = new StoredSize({ share, hasLane: lane?.isOpen === true });
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    share.leave();
    leave();
  };
  try {
    const reply = jsonReply(await unlessAborted(find(stored.count), aborter.signal));
    end();
    return reply;
  } catch (error) {
    if (!lane || !stored.isForTheLane) {
      end();
      throw error;
    }
    return await lane.answer(request, { segments: [] }).then(
      (reply) => untilGiven(reply, request, end),
      (reason) => {
        end();
        throw reason;
      },
    );
  }
}

/** Calls `end` when the answer has been given, or its client has left. The text of a large one stays in the lane until then. */
function untilGiven(reply: Reply, request: AppRequest, end: () => void): Reply {
  const { body } = reply;
  if (typeof body === 'string') {
    end();
    return reply;
  }
  const stream = new WatchedStream(body, { firstByte: () => {}, end });
  request.onLeave((reason) => stream.cancel(reason));
  return { ...reply, body: stream };
}

function jsonReply(value: unknown): Reply {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(value) };
}
