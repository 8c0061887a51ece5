export function setVersion(root: string, version: string, date: string): void;
export function otherVersions(root: string, version: string): string[];
export function publishOrder(root: string): string[];
export function missingRepositories(root: string): string[];
