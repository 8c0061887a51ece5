// Decodes compressed answers. The gateway asks for none, but some servers and proxies compress all the same.

import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Fetched } from '@dragoman/core/bridge';

type Reader = ReturnType<NonNullable<Fetched['body']>['getReader']>;

/** What has come so far is given at once, and an answer that breaks off gives what there is. */
const zlib = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** By the names of codings; the first bytes tell the two forms of `deflate` apart. */
const decoders: Readonly<Record<string, (first: Uint8Array) => Transform>> = {
  gzip: () => createGunzip(zlib),
  'x-gzip': () => createGunzip(zlib),
  deflate: ([start = 0]) => ((start & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib)),
  br: () => createBrotliDecompress(brotli),
};

/** Gives the response with its body decoded; as it is, if it is not compressed. */
export function decoded(response: Fetched): Fetched {
  const coding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  const { body } = response;
  if (coding === '' || coding === 'identity' || !body) return response;
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  const { ok, status, type, headers } = response;
  const reader = () =>
    decode ? decodedReader(body.getReader(), decode) : refusing(body.getReader(), coding);
  return { ok, status, type, headers, body: { getReader: reader } };
}

function refusing(reader: Reader, coding: string): Reader {
  const error = new Error(`it is compressed as ${coding.slice(0, 40)}, which cannot be read`);
  return { read: () => Promise.reject(error), cancel: () => reader.cancel() };
}

/** A small answer that becomes a huge one is an attack: that much is read in any case, and so many times as much. */
const HARMLESS = 16 * 1024 * 1024;
const LARGEST_RATIO = 200;

function decodedReader(encoded: Reader, decode: (first: Uint8Array) => Transform): Reader {
  const pieces = decodedPieces(encoded, decode);
  return {
    read: () => pieces.next().then(({ done, value }) => ({ done: done === true, value: value ?? undefined })),
    async cancel() {
      await encoded.cancel();
      // Not waited for: it ends with the read that is under way.
      pieces.return(undefined).catch(() => {});
    },
  };
}

async function* decodedPieces(
  encoded: Reader,
  decode: (first: Uint8Array) => Transform,
): AsyncGenerator<Uint8Array, undefined> {
  let taken = 0;
  const count = (bytes: Uint8Array) => {
    taken += bytes.length;
    return bytes;
  };
  const first = await nextOf(encoded);
  if (!first) return undefined;
  const decoder = decode(first);
  pipeline(Readable.from(bytesOf(count(first), encoded, count)), decoder, () => {});
  let given = 0;
  for await (const piece of decoder as AsyncIterable<Buffer>) {
    given += piece.length;
    if (given > HARMLESS && given > taken * LARGEST_RATIO) throw new Error('it is compressed too much');
    yield piece;
  }
  return undefined;
}

async function* bytesOf(
  first: Uint8Array,
  encoded: Reader,
  count: (bytes: Uint8Array) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await nextOf(encoded); next; next = await nextOf(encoded)) yield count(next);
}

/** Gives the next bytes; undefined at the end. */
async function nextOf(encoded: Reader): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await encoded.read();
    if (value && value.length > 0) return value;
    if (done) return undefined;
  }
}
