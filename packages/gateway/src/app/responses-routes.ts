// Responses that were kept, by their id.

import { errorResponse } from '@dragoman/core/bridge';
import type { Hono } from 'hono';
import type { ClientResponses } from '../responses/index.js';
import type { Surroundings } from './app.js';
import { askedOf } from './asked.js';

export function addResponses(app: Hono, root: string, around: Surroundings): void {
  const path = `${root}/responses/:id`;
  app.get(path, ({ req }) => answer(req.raw, around, (kept) => kept.get(req.param('id') ?? '')));
  app.delete(path, ({ req }) => answer(req.raw, around, (kept) => kept.delete(req.param('id') ?? '')));
  app.get(`${path}/input_items`, ({ req }) =>
    answer(req.raw, around, (kept) => kept.inputItems(req.param('id') ?? '', new URL(req.url).searchParams)),
  );
}

async function answer(
  request: Request,
  around: Surroundings,
  find: (kept: ClientResponses) => Promise<unknown>,
): Promise<Response> {
  try {
    const key = await around.plan().admit(askedOf(request), around);
    return Response.json(await find(around.responses.of(key?.name)));
  } catch (error) {
    return errorResponse('/responses', error);
  }
}
