// The tiny model beside the demo, as clients of the gateway see it.

import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createModelTable } from '../app/model-table.js';
import { configFromFlags } from '../config/index.js';
import { findTiny, weightsFile } from './find-tiny.js';

const config = () => {
  const result = configFromFlags({ demo: true, port: 0 }, {});
  if (!result.ok) throw new Error('expected a configuration');
  return result.config;
};

describe('where the tiny model is installed', () => {
  it('is listed behind the demo', async () => {
    const table = createModelTable(config(), { tiny: () => import('@dragoman/tiny') });
    const ids = (await table.list()).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['demo', 'demo/hermes', 'tiny', 'tiny/hermes', 'tiny/glm-4.5']),
    );
    expect(table.find('tiny/glm-4.5')).toMatchObject({ name: 'tiny/glm-4.5', mode: 'emulate' });
  });

  it('has its weights as a file of the page, whose length is known', async () => {
    const path = findTiny();
    if (path === undefined || !existsSync(path)) return;
    const file = weightsFile(path);
    const bytes = await file?.body('identity');
    expect(new TextDecoder().decode(bytes?.subarray(0, 4))).toBe('GGUF');
    expect(file?.codings).toEqual(['identity']);
  });
});

describe('where it is not', () => {
  it('is not listed, and who asks for it is told what to install', async () => {
    const table = createModelTable(config());
    expect((await table.list()).some(({ id }) => id.startsWith('tiny'))).toBe(false);
    expect(() => table.find('tiny')).toThrow(/npm install @dragoman\/tiny/);
    expect(() => table.find('other')).toThrow(/^(?!.*npm install)/);
  });
});
