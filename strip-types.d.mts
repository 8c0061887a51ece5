export function builtPackages(): string[];
export function modulesOf(folder: string): string[];
export function stripTypes(path: string): string;
