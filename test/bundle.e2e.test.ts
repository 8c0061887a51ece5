import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundleCore } from '../bench/src/bundle.js';
import { BUNDLE_BYTES } from '../bench/src/limits.js';
import { root } from './sources.js';

describe('core, bundled for a browser from what the build gives', () => {
  let bundle: Bundle;

  beforeAll(async () => {
    bundle = await bundleCore();
  });

  it('imports nothing of Node', () => {
    expect(bundle.builtins).toEqual([]);
  });

  it('wants nothing from outside but the template engine, and that only when a template is rendered', () => {
    expect(bundle.externals).toEqual(['@huggingface/jinja']);
    expect(bundle.later.raw).toBeGreaterThan(0);
  });

  it('is under 60 KB as servers send it', () => {
    expect(bundle.core.brotli).toBeLessThanOrEqual(BUNDLE_BYTES);
  });
});

describe('what a page can add', () => {
  it('is every dialect, by one import, known by name from then on', async () => {
    const page = await import(`${root}packages/core/dist/browser.js`);
    expect(page.dialects.length).toBe(9);
    const { dialects } = await import(`${root}packages/core/dist/dialects/index.js`);
    expect(dialects.length).toBeGreaterThan(50);
    for (const { name } of dialects) expect(page.findDialect(name).name).toBe(name);
  });

  it('wants nothing of Node either, with all that core has', async () => {
    const { builtins } = await bundleCore(`${root}packages/core/dist/index.js`);
    expect(builtins).toEqual([]);
  });
});

describe('the guard of the bundle', () => {
  it('sees an import of Node', async () => {
    const { builtins } = await bundleCore(`${root}packages/sys/dist/index.js`);
    expect(builtins).not.toEqual([]);
  });
});
