import type * as core from '@dragoman/core';

export const pagesFolder: string;
export const dialectDocuments: ReadonlyMap<string, 'en' | 'zh'>;
export function dialectPages(from: typeof core): Map<string, string>;
export function leftOverPages(pages: ReadonlyMap<string, string>): string[];
export function withDialectTable(from: typeof core, text: string, language: 'en' | 'zh'): string;
