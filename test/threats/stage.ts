// What a file of tests about the gateway stands on: a model that follows a script, and gateways before it, which are
// closed after each test.

import { afterAll, afterEach } from 'vitest';
import { startTextModel, type TextModel } from '../scripted/text-model.js';
import { type RunningGateway, type Settings, startGateway } from './running-gateway.js';

export interface Stage {
  model: TextModel;
  /** A gateway before the model, or before what is at another address. */
  start(settings?: Settings, url?: string): Promise<RunningGateway>;
}

/** To be awaited where the file begins. */
export async function openStage(): Promise<Stage> {
  const started = startTextModel();
  const running: RunningGateway[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.close()));
  });
  afterAll(async () => (await started).close());
  const model = await started;
  return {
    model,
    async start(settings = {}, url = model.url) {
      const gateway = await startGateway(url, settings);
      running.push(gateway);
      return gateway;
    },
  };
}
