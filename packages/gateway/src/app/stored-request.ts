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
import { untilGiven } from './watched-stream.js';

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
  const end = () => {
    share.leave();
    leave();
  };
  try {
    const reply = await unlessAborted(find(stored.count), aborter.signal).then(jsonReply, (error) => {
      if (!lane || !stored.isForTheLane) throw error;
      return lane.answer(request, { segments: [] });
    });
    return untilGiven(reply, request, end);
  } catch (error) {
    end();
    throw error;
  }
}

function jsonReply(value: unknown): Reply {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(value) };
}
