// Rows to standard output, as soon as there are any. Rows that are set aside go to a file, or to standard error.

import type { Compression } from './block.js';
import { compressedNothing } from './compression.js';
import type { OutputFile } from './output-file.js';
import type { Sink } from './sink.js';

export function createStreamSink(bad: OutputFile | undefined, compression: Compression): Sink {
  let empty = true;
  return {
    async write(output, badLines) {
      if (output.length > 0) {
        empty = false;
        await send(process.stdout, output);
      }
      if (badLines === '') return;
      if (bad) await bad.write(Buffer.from(badLines));
      else await send(process.stderr, Buffer.from(badLines));
    },
    async checkpoint() {},
    async finish(standing) {
      if (empty) await send(process.stdout, compressedNothing(compression));
      return standing;
    },
    async close() {
      await bad?.close();
    },
  };
}

/** Until the stream has let go of the bytes: their memory is used again. A reader that has gone ends the process. */
function send(stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  return new Promise((done) => stream.write(bytes, () => done()));
}
