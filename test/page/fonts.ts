// Which fonts draw the characters of the dialects.

import { expect } from 'vitest';
import { charactersOfDialects, isChinese } from '../../packages/playground/src/fonts/characters.mjs';
import { output } from './read-walk.js';
import { soon } from './soon.js';
import type { WatchedPage } from './watched-page.js';

/** Chinese may come from a font of the system; all other signs must come with the page. */
export async function drawSigns({ page }: WatchedPage): Promise<void> {
  const signs = charactersOfDialects().filter((one) => !isChinese(one));
  expect(signs).toEqual(expect.arrayContaining(['｜', '▁', '…', '‖', '〈']));
  await output(page).press('Control+a');
  await page.keyboard.insertText(signs.join(''));
  const client = await page.context().newCDPSession(page);
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const fontsOfText = async () => {
    const { root } = await client.send('DOM.getDocument', { depth: -1 });
    const selector = '.output .cm-line';
    const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
    const own = fonts.filter(({ isCustomFont }) => isCustomFont);
    const others = fonts.filter((font) => !own.includes(font)).map(({ familyName }) => familyName);
    return { drawn: own.reduce((sum, { glyphCount }) => sum + glyphCount, 0), others };
  };
  await soon(fontsOfText).toEqual({ drawn: signs.length, others: [] });
}
