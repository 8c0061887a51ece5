// The routes that tell of models. One shape serves the clients of all APIs: each reads the members it knows.

import { ApiError } from '@dragoman/core';
import { errorReply, toResponse } from '@dragoman/core/bridge';
import { sentKey, type Wire } from '@dragoman/core/wire';
import type { Hono } from 'hono';
import type { AppContext } from './app.js';
import { appRequestOf } from './app-request.js';
import type { Client } from './plan.js';
import type { ListedModel } from './upstream-catalog.js';

export function addModels(app: Hono, root: string, context: AppContext): void {
  const path = `${root}/models`;
  app.get(path, ({ req }) => answer(req.raw, context, (key, clientKey) => list(context, key, clientKey)));
  // Names have slashes, which some clients send as they are.
  app.get(`${path}/:id{.+}`, ({ req }) => {
    const id = req.param('id') ?? '';
    return answer(req.raw, context, (key, clientKey) => one(context, id, key, clientKey));
  });
}

async function answer(
  request: Request,
  context: AppContext,
  give: (key: Client | undefined, clientKey: string | undefined) => Promise<object>,
): Promise<Response> {
  const asked = appRequestOf(request);
  try {
    const key = await context.plan().admit(asked, context);
    return Response.json(await give(key, sentKey(asked.header, context.wires)));
  } catch (error) {
    const path = wireSpoken(asked.header, context.wires)?.path ?? asked.path;
    return toResponse(errorReply(path, error, context.wires));
  }
}

/** Finds the API that a client uses by a header that only this API has: the path is the same in all. */
function wireSpoken(header: (name: string) => string | null, wires: readonly Wire[]): Wire | undefined {
  return wires.find(
    ({ auth, served }) => served && Object.keys(auth.headers).some((name) => header(name) !== null),
  );
}

async function list(
  context: AppContext,
  key: Client | undefined,
  clientKey: string | undefined,
): Promise<object> {
  const plan = context.plan();
  const models = (await plan.models.list(clientKey)).filter(({ id }) => plan.mayUse(key, id));
  const data = models.map(shown);
  return {
    object: 'list',
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

async function one(
  context: AppContext,
  id: string,
  key: Client | undefined,
  clientKey: string | undefined,
): Promise<object> {
  const plan = context.plan();
  const model = plan.mayUse(key, id) ? await plan.models.named(id, clientKey) : undefined;
  if (model) return shown(model);
  const message = `There is no model called ${JSON.stringify(id.slice(0, 100))}; /v1/models lists those that there are.`;
  throw new ApiError('not-found', message, { path: 'model' });
}

function shown({ id, owner, created }: ListedModel) {
  return {
    id,
    object: 'model',
    created,
    owned_by: owner,
    type: 'model',
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
  };
}
