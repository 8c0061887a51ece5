// Responses that were kept, by their id.

import { errorResponse } from '@dragoman/core/bridge';
import type { Wire } from '@dragoman/core/wire';
import type { Hono } from 'hono';
import type { ClientResponses } from '../responses/index.js';
import type { AppContext } from './app.js';
import { appRequestOf } from './app-request.js';

export function addResponses(app: Hono, root: string, context: AppContext): void {
  for (const wire of context.wires) {
    if (!wire.served || !wire.state.resolveItems) continue;
    const path = `${root}${wire.path}/:id`;
    const answer = (request: Request, find: Find) => answerFrom(wire, request, context, find);
    app.get(path, ({ req }) => answer(req.raw, (kept) => kept.get(req.param('id') ?? '')));
    app.delete(path, ({ req }) => answer(req.raw, (kept) => kept.delete(req.param('id') ?? '')));
    app.get(`${path}/input_items`, ({ req }) =>
      answer(req.raw, (kept) => kept.inputItems(req.param('id') ?? '', new URL(req.url).searchParams)),
    );
  }
}

type Find = (kept: ClientResponses) => Promise<unknown>;

async function answerFrom(wire: Wire, request: Request, context: AppContext, find: Find): Promise<Response> {
  try {
    const key = await context.plan().admit(appRequestOf(request), context);
    return Response.json(await find(context.responses.of(key?.name)));
  } catch (error) {
    return errorResponse(wire.path, error, context.wires);
  }
}
