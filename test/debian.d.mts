export const INSTALL_TIME: number;
export function findOrInstall(
  program: string,
  debianPackage?: string,
  folders?: () => string[],
  time?: number,
): Promise<string>;
export function installTogether(debianPackages: readonly string[], time?: number): Promise<void>;
export function find(program: string, folders?: string[]): string | undefined;
export function postgresFolders(): string[];
