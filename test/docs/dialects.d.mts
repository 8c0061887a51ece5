import type * as core from '@dragoman/core';

export const pagesFolder: string;
export function dialectPages(from: typeof core): Map<string, string>;
export function leftOverPages(pages: ReadonlyMap<string, string>): string[];
