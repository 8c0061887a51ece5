// The setup of a test file about the gateway: a scripted model, and gateways in front of it, which are closed after each
// test.

import { afterAll, afterEach } from 'vitest';
import { startTextModel, type TextModel } from '../scripted/text-model.js';
import { type RunningGateway, type Settings, startGateway } from './running-gateway.js';

export interface Stage {
  model: TextModel;
  /** Starts a gateway in front of the model, or of another address. */
  start(settings?: Settings, url?: string): Promise<RunningGateway>;
}

/** Call and await it at the start of the file. */
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
