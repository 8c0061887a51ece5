export const SIGNS: readonly string[];
export const WIDE: readonly string[];
export function isChinese(one: string): boolean;
export function charactersOfDialects(): string[];
