// Serves the files of the playground. They hold no secret, so they need no key; the page's requests to the gateway do.
// The caller provides the files, since a worker has no file system.

import type { Hono } from 'hono';
import type { AppContext } from './app.js';

export interface PageFile {
  /** `text/html; charset=utf-8`. */
  type: string;
  /** The ETag of its content, with quotes. Weak: the same for every encoding. */
  etag: string;
  /** Whether its name changes with its content, so that a browser may cache it for ever. */
  immutable: boolean;
  /** Whether it is a worker that makes WebAssembly. */
  wasm?: boolean;
  /** The encodings it has. Default: all. */
  codings?: readonly Coding[];
  /** Gives its bytes in this encoding. */
  body(coding: Coding): Promise<Uint8Array<ArrayBuffer>>;
}

export type Coding = 'br' | 'gzip' | 'identity';

/** By path: `/`, `/icon.svg`, `/tiny.gguf`, `/assets/…`, and the documentation under `/site/…`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Allows scripts, workers, fonts and requests only of this origin. The editor makes inline styles while it runs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const safety = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A worker has the policy of its own file. That of the tiny model makes WebAssembly; no text can become a script. */
const wasmPolicy = policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

const NOT_BUILT = `The playground is not built. In a clone of the project, npm run build makes it; the package that is installed from a
registry has it. The APIs under /v1 work without it.
`;

const NO_DOCUMENTS = `The documentation is not part of this build. In a clone of the project, npm run build makes it, and docs/ holds its text.
`;

export function addPage(app: Hono, context: AppContext): void {
  for (const path of ['/', '/icon.svg', '/tiny.gguf', '/assets/*', '/site/*']) {
    app.get(path, async ({ req }, next) => {
      if (!context.plan().config.page) return next();
      const file = context.page?.get(req.path);
      // A document may be gone since the start.
      const found = file && (await fileResponse(req.raw, file).catch(() => undefined));
      if (found) return found;
      const inside = `${req.path}/`;
      if (context.page?.has(inside))
        return new Response(null, { status: 308, headers: { location: inside } });
      // The page looks for the weights: where they are not installed, that is no error.
      if (req.path === '/tiny.gguf') return new Response(null, { status: 204 });
      if (req.path.startsWith('/site/') && !context.page?.has('/site/index.html'))
        return notBuilt(NO_DOCUMENTS);
      return req.path === '/' && !context.page ? notBuilt(NOT_BUILT) : next();
    });
  }
}

function notBuilt(text: string): Response {
  return new Response(text, {
    status: 404,
    headers: { ...safety, 'content-type': 'text/plain; charset=utf-8' },
  });
}

async function fileResponse({ headers: asked }: Request, file: PageFile): Promise<Response> {
  const headers = {
    ...safety,
    ...(file.wasm && { 'content-security-policy': wasmPolicy }),
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  };
  if (isKnown(asked.get('if-none-match'), file.etag)) return new Response(null, { status: 304, headers });
  const coding = codingFor(asked.get('accept-encoding'), file.codings);
  const body = await file.body(coding);
  return new Response(body, {
    headers: {
      ...headers,
      'content-length': String(body.length),
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    },
  });
}

function isKnown(known: string | null, etag: string): boolean {
  if (known === null) return false;
  return known.split(',').some((one) => one.trim() === '*' || isSame(one.trim(), etag));
}

const isSame = (a: string, b: string) => a.replace(/^W\//, '') === b.replace(/^W\//, '');

/** Chooses the smallest encoding that the browser accepts. */
function codingFor(accepted: string | null, codings: readonly Coding[] = ['br', 'gzip']): Coding {
  const taken = new Set((accepted ?? '').split(',').flatMap((one) => codingOf(one)));
  return codings.find((coding) => taken.has(coding)) ?? 'identity';
}

/** `br;q=0` is a refusal. */
function codingOf(accepted: string): string[] {
  const [name = '', ...parameters] = accepted.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return quality !== undefined && Number(quality.slice(2)) === 0 ? [] : [name];
}
