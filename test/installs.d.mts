export const mayInstall: boolean;
export const policy: string;
export const MISSING: string;
export function announceInstall(what: string): void;
export function reportMissing(what: string, error: unknown): string;
