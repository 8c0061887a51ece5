export const clientDocuments: ReadonlyMap<string, 'en' | 'zh'>;
export function withClientTables(text: string, language: 'en' | 'zh'): string;
export function testedNames(file: string): string[];
export function testedProviders(): string[];
