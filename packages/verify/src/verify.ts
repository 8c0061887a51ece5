// Tests an endpoint, with the API by its name.

import { type ApiName, defaultWire, type Wire, wireOf } from '@dragoman/core/wire';
import {
  type VerifyEvent,
  verifyByWire,
  type WireEndpointOptions,
  type WireVerifyOptions,
} from './verification.js';

/** Where an endpoint is. */
export interface EndpointOptions extends Omit<WireEndpointOptions, 'api'> {
  /** An API or its name. Default: that of OpenAI's chat completions. */
  api?: Wire | ApiName;
}

export interface VerifyOptions extends Omit<WireVerifyOptions, 'api' | 'reference'> {
  /** An API or its name. Default: that of OpenAI's chat completions. */
  api?: Wire | ApiName;
  /** Another endpoint, whose answers to the suite decide when a call is right, instead of its labels. */
  reference?: EndpointOptions;
}

/** Gives the results while they come, and the report at the end. Throws an EndpointError if there is no endpoint. */
export async function* verifyEndpoint(options: VerifyOptions): AsyncGenerator<VerifyEvent> {
  const { reference, ...rest } = options;
  yield* verifyByWire({
    ...rest,
    api: toWire(options),
    ...(reference && { reference: { ...reference, api: toWire(reference) } }),
  });
}

function toWire({ api = defaultWire }: { api?: Wire | ApiName }): Wire {
  return typeof api === 'string' ? wireOf(api) : api;
}
