import { rolldown } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundleCore, sizeOf } from '../bench/src/bundle.js';
import { BUNDLE_BYTES } from '../bench/src/limits.js';
import { root } from './sources.js';

describe('the small entry, bundled for a browser from what the build gives', () => {
  let bundle: Bundle;

  beforeAll(async () => {
    bundle = await bundleCore();
  });

  it('imports nothing, now or later', () => {
    expect(bundle.externals).toEqual([]);
    expect(bundle.later.raw).toBe(0);
  });

  it('is under 60 KB as servers send it', () => {
    expect(bundle.core.brotli).toBeLessThanOrEqual(BUNDLE_BYTES);
  });
});

describe('the whole of core, bundled for a browser', () => {
  let bundle: Bundle;

  beforeAll(async () => {
    bundle = await bundleCore(`${root}packages/core/dist/index.js`);
  });

  it('imports nothing of Node', () => {
    expect(bundle.builtins).toEqual([]);
  });

  it('wants nothing from outside but the template engine, and that only when a template is rendered', () => {
    expect(bundle.externals).toEqual(['@huggingface/jinja']);
    expect(bundle.later.raw).toBeGreaterThan(0);
  });
});

describe('a program that imports what it needs', () => {
  it.each([['hermes'], ['harmony']])(
    'of %s alone bundles no other dialect: less than half of the small entry',
    async (name) => {
      const { code } = await bundled(`
      import { parse } from '@dragoman/core/small';
      import { ${name} } from '@dragoman/core/dialects';
      export const calls = (text) => parse(${name}, text).calls;`);
      expect(code).not.toMatch(/deepseek|glm-4|alkaid/);
      expect(sizeOf([{ code }]).brotli).toBeLessThan(BUNDLE_BYTES / 2);
    },
  );
});

async function bundled(program: string): Promise<{ code: string }> {
  const name = `${root}packages/cli/page.mjs`;
  const build = await rolldown({
    input: name,
    platform: 'browser',
    tsconfig: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === name ? name : undefined),
        load: (id) => (id === name ? program : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  return output[0];
}

describe('the guard of the bundle', () => {
  it('sees an import of Node', async () => {
    const { builtins } = await bundleCore(`${root}packages/sys/dist/index.js`);
    expect(builtins).not.toEqual([]);
  });
});
