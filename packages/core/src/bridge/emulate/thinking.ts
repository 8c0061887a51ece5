// Whether a model is to reason, and how much: what the client asked for, the configuration, and what of it has no effect.

import type { Dialect, RenderOptions } from '../../engine/dialect.js';
import { promptOfModel } from '../../engine/prompt-variant.js';
import { isObject, type ModelRequest } from '../../model/index.js';
import type { BridgeOptions } from '../options.js';
import type { Upstream } from '../upstream/upstream.js';
import { lostThinking } from '../upstream/vendor-members.js';
import { reasonsInLoop } from './keep-reasoning.js';

/**
 * Gives the request with the `thinking` of the configuration, unless the client gave one. A template that drops the
 * reasoning of a prompt without thinking gets a prompt with it, in a tool loop that the model began with reasoning.
 */
export function withThinking(
  request: ModelRequest,
  dialect: Dialect,
  { takes, switchesThinking }: Upstream,
  { render = {} }: BridgeOptions,
): ModelRequest {
  const { settings, conversation } = request;
  if (settings.thinking !== undefined) return request;
  const goesOn =
    takes === 'prompt' &&
    dialect.traits.reasoning?.ifThinking === true &&
    reasonsInLoop(conversation.messages);
  const thinking = render.thinking ?? (goesOn || undefined);
  // A chat endpoint is only told not to reason: many refuse the member, and those that can reason do it by themselves.
  // An engine with a switch of its own is told both.
  if (thinking === undefined || (thinking && takes === 'messages' && !switchesThinking?.())) return request;
  return { ...request, settings: { ...settings, thinking } };
}

/** Gives the options by which the dialect's template is told to reason, and how much. */
export function thinkingOptions(
  request: ModelRequest,
  dialect: Dialect,
  options: BridgeOptions,
): RenderOptions {
  const { thinking } = request.settings;
  const said = effortOptions(request, dialect);
  return {
    ...options.render,
    ...(thinking !== undefined && { thinking }),
    ...(said && { template: { ...options.render?.template, ...said } }),
  };
}

/** Gives the options by which the template of the model says the effort; undefined if it has no place for it. */
function effortOptions({ model, settings: { effort } }: ModelRequest, { render }: Dialect) {
  return effort === undefined ? undefined : promptOfModel(render, model)?.effort?.(effort);
}

/** Gives the members on reasoning that have no effect on this upstream. */
export function ignoredThinking(request: ModelRequest, dialect: Dialect, { takes }: Upstream): string[] {
  const { effort } = request.settings;
  const lost = effort !== undefined && takes === 'prompt' && !effortOptions(request, dialect);
  const reaches = takes === 'prompt' ? dialect.traits.reasoning !== undefined : effort !== undefined;
  return [...(lost ? [effortMember(request)] : []), ...lostThinking(request, reaches)];
}

/** Gives the name of the member that held the effort, as the client spelled it. */
function effortMember({ extra = {} }: ModelRequest): string {
  const within = ['reasoning', 'output_config'].find((key) => {
    const member = extra[key];
    return isObject(member) && typeof member.effort === 'string';
  });
  return within === undefined ? 'reasoning_effort' : `${within}.effort`;
}
