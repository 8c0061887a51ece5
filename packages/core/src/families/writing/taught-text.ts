// The text that teaches a dialect to a model that was not trained on it.

import type { RenderOptions } from '../../engine/dialect.js';

export interface TaughtText {
  full: string;
  /** Under 800 characters, for small contexts. */
  short: string;
}

export type TaughtTexts = Record<'en' | 'zh', TaughtText>;

export function chooseText(texts: TaughtTexts, options: RenderOptions): string {
  const text = texts[options.language ?? 'en'];
  return options.short ? text.short : text.full;
}
