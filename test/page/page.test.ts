// The page in a real Chromium: each view used as a person would, in light and dark and on a phone.

import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { walkInspect } from './inspect-walk.js';
import { walkRead } from './read-walk.js';
import { findChromium, Stage, screenshots } from './stage.js';
import { walkTry } from './try-walk.js';
import type { Look, WatchedPage } from './watched-page.js';
import { walkWrite } from './write-walk.js';

const looks: Look[] = [
  { name: 'light', scheme: 'light', width: 1280, height: 900 },
  { name: 'dark', scheme: 'dark', width: 1280, height: 900 },
  { name: 'phone', scheme: 'light', width: 390, height: 844 },
];

const walks = { read: walkRead, write: walkWrite, try: walkTry, inspect: walkInspect };

const chromium = await findChromium();

describe.skipIf(!chromium)('the page', () => {
  let stage: Stage;
  const opened: WatchedPage[] = [];
  const open = async (...given: Parameters<Stage['page']>) => {
    const watched = await stage.page(...given);
    opened.push(watched);
    return watched;
  };
  beforeAll(async () => {
    stage = await Stage.open(chromium as string);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    await stage?.close();
    console.log(`Screenshots of the page: ${fileURLToPath(screenshots)}`);
  });

  describe.each(looks)('$name', (look) => {
    it.each(Object.entries(walks))('%s can be used by a person, and nothing complains', async (_, walk) => {
      const watched = await open(look);
      await walk(watched);
      expect(await watched.barriers()).toEqual([]);
      expect(await watched.overflow()).toBe(0);
      expect(await watched.breaches()).toEqual([]);
      expect(watched.complaints).toEqual([]);
    });
  });
});
