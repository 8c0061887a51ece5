// The GGUF files at a path: one, or those of a folder. Metadata is read once for each version of a file.

import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { LocalModelError } from '../local-model-error.js';
import { type GgufInfo, readGgufInfo } from './gguf-info.js';
import type { ByteSource } from './gguf-reader.js';

export interface GgufFile {
  /** What clients call it: the name of the file, without its ending and the number of its part. */
  name: string;
  path: string;
  /** Bytes of all its parts. */
  size: number;
  info: GgufInfo;
}

/** A file of a folder that is no model, or cannot be read. */
export interface SkippedFile {
  path: string;
  reason: string;
}

const ENDING = '.gguf';
/** The number of a part: model-00001-of-00003.gguf */
const PART = /-(\d{5})-of-(\d{5})$/;
/** Most files of a folder. */
const MOST = 1000;

/** Gives the models at a path, by name. Throws a LocalModelError if there is none. */
export function ggufFiles(path: string): { files: GgufFile[]; skipped: SkippedFile[] } {
  const whole = resolve(path);
  if (!existsSync(whole))
    throw new LocalModelError('no-file', `There is no file and no folder ${JSON.stringify(path)}.`);
  if (!statSync(whole).isDirectory()) return { files: [ggufFile(whole)], skipped: [] };
  const names = readdirSync(whole).filter((name) => name.toLowerCase().endsWith(ENDING));
  const files: GgufFile[] = [];
  const skipped: SkippedFile[] = [];
  for (const name of names.sort().slice(0, MOST)) {
    if (Number(PART.exec(stem(name))?.[1] ?? 1) > 1) continue;
    const at = join(whole, name);
    try {
      const file = ggufFile(at);
      const reason = noModel(file.info);
      if (reason === undefined) files.push(file);
      else skipped.push({ path: at, reason });
    } catch (error) {
      skipped.push({ path: at, reason: (error as Error).message });
    }
  }
  if (files.length > 0) return { files, skipped };
  const [first] = skipped;
  const found = first ? `; ${basename(first.path)}: ${first.reason}` : '';
  throw new LocalModelError('no-file', `The folder ${JSON.stringify(path)} has no GGUF model${found}`);
}

/** Projectors for images and adapters are GGUF files, too. */
function noModel({ architecture, type }: GgufInfo): string | undefined {
  if (architecture === 'clip') return 'it is a projector for images, and no model.';
  return type === undefined || type === 'model' ? undefined : `it is of the type ${type}, and no model.`;
}

const known = new Map<string, { version: string; file: GgufFile }>();

/** Throws a LocalModelError. */
export function ggufFile(path: string): GgufFile {
  const whole = resolve(path);
  const { size, mtimeMs } = statOf(whole);
  const version = `${size} ${mtimeMs}`;
  const kept = known.get(whole);
  if (kept?.version === version) return kept.file;
  const info = infoOf(whole, size);
  const name = stem(basename(whole)).replace(PART, '');
  const file = { name, path: whole, size: sizeOf(whole, size, info), info };
  known.set(whole, { version, file });
  return file;
}

function statOf(path: string): { size: number; mtimeMs: number } {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return found;
  throw new LocalModelError('no-file', `There is no file ${JSON.stringify(path)}.`);
}

function infoOf(path: string, size: number): GgufInfo {
  const source = fileSource(path, size);
  try {
    return readGgufInfo(source);
  } catch (error) {
    if (!(error instanceof LocalModelError)) throw error;
    throw new LocalModelError(error.code, `${basename(path)}: ${error.message}`, { cause: error });
  } finally {
    source.close();
  }
}

function sizeOf(path: string, size: number, { split }: GgufInfo): number {
  if (!split) return size;
  const parts = Array.from({ length: Math.min(split.parts, MOST) }, (_, at) => {
    const part = `-${String(at + 1).padStart(5, '0')}-of-`;
    return statSync(path.replace(/-\d{5}-of-/, part), { throwIfNoEntry: false })?.size ?? 0;
  });
  return parts.reduce((sum, bytes) => sum + bytes, 0);
}

function fileSource(path: string, size: number): ByteSource & { close(): void } {
  const file = openFile(path);
  return {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(Math.min(length, Math.max(0, size - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    },
    close: () => closeSync(file),
  };
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    throw new LocalModelError('no-file', `${basename(path)} cannot be opened (${code}).`, { cause: error });
  }
}

function stem(name: string): string {
  return name.toLowerCase().endsWith(ENDING) ? name.slice(0, -ENDING.length) : name;
}
