// Refuses members that need a store, where the gateway has none, and members that are not supported at all.

import { ApiError } from '@dragoman/core';
import { isObject } from '@dragoman/core/internal';
import { type Body, isReference } from './items.js';

const CONFIGURE = 'or give the gateway a store (store.url: memory:, redis://… or postgres://…)';

/** Throws if the request needs a stored response, or wants to be stored. */
export function refuse(body: unknown): void {
  if (!isObject(body)) return;
  refuseUnsupported(body);
  if (isSaid(body.previous_response_id)) {
    throw needsStore('previous_response_id', 'send the whole conversation as input');
  }
  if (body.store === true) throw needsStore('store', 'leave store out or set it to false');
  const { input } = body;
  const at = Array.isArray(input) ? input.findIndex(isReference) : -1;
  if (at >= 0) {
    const instead = 'send the item itself, as clients do with store: false';
    throw needsStore(`input[${at}]`, instead, 'an item_reference');
  }
}

/** Conversation objects and background answers are not supported. */
export function refuseUnsupported(body: Body): void {
  if (isSaid(body.conversation)) {
    const instead = 'send the conversation as input, or use previous_response_id';
    throw bad('conversation', `not supported here; ${instead}`);
  }
  if (body.background === true) {
    throw bad('background', 'not supported here; leave it out, and read the answer as a stream');
  }
}

/** The error for a request by the id of a response, where there is no store. */
export function nothingKept(): ApiError {
  const message = `This gateway keeps no responses: read them when they are made, ${CONFIGURE}.`;
  return new ApiError('not-found', message);
}

export function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function needsStore(path: string, instead: string, found = ''): ApiError {
  const message = `${found && `found ${found}, but `}this gateway keeps no responses; ${instead}, ${CONFIGURE}`;
  return bad(path, message);
}

export function bad(path: string, message: string): ApiError {
  return new ApiError('bad-request', `${path}: ${message}`, { path });
}
