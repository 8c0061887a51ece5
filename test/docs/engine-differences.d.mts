export function differencesOf(name: string): string[][];
export const differingDialects: ReadonlySet<string>;
