// Members of a request that no API defines and serving engines take all the same, most of them for sampling. They say how
// text is written, and nothing about where a request goes, which model gets it, or what a template makes of it
// (strip-control.ts has those), so a client may send them by any API.

import { type Extra, isObject, type ModelRequest, type Settings } from '../../model/index.js';
import { ignoredFormats, saysFormat } from '../structured/format-members.js';
import { nestedMembers } from './nested-members.js';
import type { Upstream } from './upstream.js';

const words = `
  min_p top_a top_k typical_p tfs presence_penalty frequency_penalty repetition_penalty repeat_penalty
  repeat_last_n length_penalty no_repeat_ngram_size encoder_repetition_penalty penalty_last_n logit_bias
  dynatemp_range dynatemp_exponent smoothing_factor xtc_probability xtc_threshold
  dry_multiplier dry_base dry_allowed_length dry_penalty_last_n dry_sequence_breakers
  mirostat mirostat_tau mirostat_eta mirostat_mode samplers sampler_priority do_sample
  min_tokens max_new_tokens n_predict ignore_eos stop_token_ids bad_words allowed_token_ids
  skip_special_tokens spaces_between_special_tokens include_stop_str_in_output preserved_tokens no_stop_trim
  truncate_prompt_tokens cache_prompt cache_salt id_slot n_keep priority keep_alive ttl options`;

export const vendorMembers: readonly string[] = words.trim().split(/\s+/);

/** Whether a member asks only for what a client gets from any upstream: reasoning that it can send again. */
export function isHonoured(name: string, value: unknown): boolean {
  const isSealed = (one: unknown) => one === 'reasoning.encrypted_content';
  return name === 'include' && Array.isArray(value) && value.every(isSealed);
}

/** Whether the upstream's API writes the members of the client's: it is the same, or what the upstream does is unknown. */
export function isOwnApi(request: ModelRequest, { api }: Upstream): boolean {
  return api === undefined || api === request.api;
}

/**
 * For an upstream with tools, whose API is another than the client's: the members that engines take, and the names of
 * those that are dropped. `handled` are read elsewhere.
 */
export function foreignMembers(
  request: ModelRequest,
  upstream: Upstream,
  handled: ReadonlySet<string>,
): { members: Extra; dropped: string[] } {
  if (isOwnApi(request, upstream)) return { members: {}, dropped: [] };
  const given = Object.entries(request.extra ?? {}).filter(
    ([name, value]) => value !== null && !handled.has(name) && !isHonoured(name, value),
  );
  const isPassed = ([name]: [string, unknown]) => vendorMembers.includes(name);
  return {
    members: Object.fromEntries(given.filter(isPassed)),
    dropped: [
      ...given
        .filter((entry) => !isPassed(entry))
        .flatMap(([name, value]) => (saysFormat(name) ? ignoredFormats(request, name, value) : [name])),
      ...lackedSettings(request, upstream),
      ...lostThinking(request, reachesNative(request, upstream)),
      ...nestedMembers(request),
    ],
  };
}

/** What most APIs call a setting, where the model has another name for it. */
const memberNames: Partial<Record<keyof Settings, string>> = { choices: 'n', topK: 'top_k' };

function lackedSettings({ settings }: ModelRequest, { lacks = [] }: Upstream): string[] {
  const given = lacks.filter(
    (name) => settings[name] !== undefined && !(name === 'choices' && settings[name] === 1),
  );
  return given.map((name) => memberNames[name] ?? name);
}

/** Whether a request for reasoning has an effect on an upstream whose API is another than the client's. */
function reachesNative({ settings }: ModelRequest, { switchesThinking }: Upstream): boolean {
  return settings.effort !== undefined || switchesThinking?.() === true;
}

/** Names what of the object `thinking` has no effect: all of it, unless asking for reasoning does, or its budget. */
export function lostThinking({ settings, extra = {} }: ModelRequest, reaches: boolean): string[] {
  const { thinking } = extra;
  if (!isObject(thinking) || settings.thinking !== true) return [];
  if (!reaches) return ['thinking'];
  return thinking.budget_tokens === undefined ? [] : ['thinking.budget_tokens'];
}
