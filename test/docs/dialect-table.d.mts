import type * as core from '@dragoman/core';

export const dialectDocuments: ReadonlyMap<string, 'en' | 'zh'>;
export function withDialectTable(from: typeof core, text: string, language: 'en' | 'zh'): string;
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string;
