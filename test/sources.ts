import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-6';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages that exist, by folder name. */
export function packageNames(): string[] {
  return readdirSync(`${root}packages`).filter((name) => existsSync(`${root}packages/${name}/package.json`));
}

/** The non-test sources under a folder, as paths from the root of the repository with forward slashes. */
export function sourcePaths(folder: string): string[] {
  if (!existsSync(root + folder)) return [];
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\.tsx?$/.test(path))
    .sort();
}

/** Sources do not change while tests run, and several tests walk all of them: each is parsed once. */
const parsed = new Map<string, ts.SourceFile>();

export function readSource(path: string): ts.SourceFile {
  const source = parsed.get(path) ?? parseSource(path, readFileSync(root + path, 'utf8'));
  parsed.set(path, source);
  return source;
}

export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
}

/** Visits every node below the file, parents first. */
export function walk(source: ts.SourceFile, visit: (node: ts.Node) => void): void {
  const step = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, step);
  };
  ts.forEachChild(source, step);
}

export function lineOf(source: ts.SourceFile, node: ts.Node): number {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}
