// The files of the built page, read once, and of the documentation beside it, each read when it is first asked for. Only
// files that exist when the gateway starts can be requested.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding, PageFile, PageFiles } from '../app/page-routes.js';

/** Beside dist/ in the package, where the build of the page puts it. */
const built = new URL('../../page/', import.meta.url);

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.json', 'application/json'],
  ['.woff2', 'font/woff2'],
  ['.webp', 'image/webp'],
]);

/** Of a file that the documentation links to: a licence, a configuration. */
const PLAIN = 'text/plain; charset=utf-8';

const FIRST_PAGE = 'index.html';

/** How the worker of the tiny model is called. */
const WASM_WORKER = '/assets/tiny-worker';

/** Undefined where the page was not built. */
export function readPageFiles(folder: URL = built): PageFiles | undefined {
  if (!existsSync(new URL(FIRST_PAGE, folder))) return undefined;
  const files = new Map<string, PageFile>();
  files.set('/', pageFile(new URL(FIRST_PAGE, folder), false));
  for (const name of namesIn(folder))
    if (name === 'icon.svg') files.set(`/${name}`, pageFile(new URL(name, folder), false));
  const assets = new URL('assets/', folder);
  for (const name of namesIn(assets)) files.set(`/assets/${name}`, pageFile(new URL(name, assets), true));
  for (const [path, file] of documentsIn(new URL('site/', folder))) {
    files.set(`/site/${path}`, file);
    // As every server of static files has it: a folder is its first page.
    if (basename(path) === FIRST_PAGE) files.set(`/site/${path.slice(0, -FIRST_PAGE.length)}`, file);
  }
  return files;
}

function documentsIn(folder: URL): [string, PageFile][] {
  if (!existsSync(folder)) return [];
  const root = fileURLToPath(folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [relative(root, file).split(sep).join('/'), pageFile(pathToFileURL(file), false, false)];
    });
}

function namesIn(folder: URL): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && types.has(extname(entry.name))).map(({ name }) => name);
}

/** A build may replace the files while the gateway runs: the parts of the page belong together, so they are kept. */
function pageFile(path: URL, immutable: boolean, isRead = true): PageFile {
  const readFile = () => new Uint8Array(readFileSync(path));
  let read = isRead ? readFile() : undefined;
  const bytes = () => {
    read ??= readFile();
    return read;
  };
  let etag: string | undefined;
  const coded = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    ...(path.pathname.includes(WASM_WORKER) && { wasm: true }),
    type: types.get(extname(path.pathname)) ?? PLAIN,
    get etag() {
      etag ??= `W/"${createHash('sha256').update(bytes()).digest('base64url').slice(0, 22)}"`;
      return etag;
    },
    immutable,
    body(coding) {
      const made = coded.get(coding) ?? code(bytes(), coding);
      coded.set(coding, made);
      return made;
    },
  };
}

/** 9 makes the page 0.6 KB smaller and takes five times as long, and the first browser waits for it. */
export const BROTLI_QUALITY = 8;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Made when it is first asked for, off the main thread: a gateway that nobody looks at pays nothing. */
async function code(bytes: Uint8Array<ArrayBuffer>, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  if (coding === 'identity') return bytes;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const made = coding === 'br' ? await toBrotli(bytes, { params }) : await toGzip(bytes);
  return new Uint8Array(made);
}
