// The words of the page in the language that is chosen. English is part of the page; others are loaded when chosen.

import { createSignal } from 'solid-js';
import { en } from './en.js';

export type Words = typeof en;

/** In the order of the switch, each in its own language. */
export const languages = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof languages;

const PLACE = 'dragoman-language';

const [words, setWords] = createSignal<Words>(en);
const [language, setLanguage] = createSignal<Language>('en');

export { language, words };

export async function chooseLanguage(chosen: Language): Promise<void> {
  const next = chosen === 'zh' ? (await import('./zh.js')).zh : en;
  setLanguage(chosen);
  setWords(() => next);
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en';
  try {
    localStorage.setItem(PLACE, chosen);
  } catch {
    // Without localStorage the choice holds as long as the page is open.
  }
}

/** Chooses the language of the last visit, or else that of the browser. Resolves when its words are there. */
export async function restoreLanguage(): Promise<void> {
  const chosen = remembered() ?? (navigator.language.startsWith('zh') ? 'zh' : 'en');
  if (chosen !== 'en') await chooseLanguage(chosen);
}

function remembered(): Language | undefined {
  try {
    const found = localStorage.getItem(PLACE);
    return found === 'en' || found === 'zh' ? found : undefined;
  } catch {
    return undefined;
  }
}
