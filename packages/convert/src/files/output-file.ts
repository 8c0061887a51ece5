// A file that grows at its end, and can be truncated to a known length.

import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ConvertError, messageOf } from './convert-error.js';

export class OutputFile {
  #handle: FileHandle | undefined;
  #unsynced = false;

  /** `length`: how many bytes of an existing file are kept. */
  constructor(
    readonly path: string,
    public length: number,
  ) {}

  /** Creates the file, or cuts off what an interrupted run wrote after the last valid byte. */
  async open(): Promise<void> {
    if (this.#handle) return;
    this.#handle = await this.#try(async () => {
      const handle = await open(this.path, this.length > 0 ? 'r+' : 'w');
      const { size } = await handle.stat();
      if (size < this.length) {
        await handle.close();
        throw new Error(
          `it has ${size} bytes, but the journal speaks of ${this.length}; --force starts over`,
        );
      }
      await handle.truncate(this.length);
      return handle;
    });
  }

  /**
   * Writes synchronously: the system copies the bytes and writes them later. An asynchronous write would be noticed a
   * block later, because the main thread converts, too.
   */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await this.open();
    const { fd = -1 } = this.#handle ?? {};
    await this.#try(async () => {
      for (let done = 0; done < bytes.length; ) {
        const written = writeSync(fd, bytes, done, bytes.length - done, this.length);
        done += written;
        this.length += written;
      }
    });
    this.#unsynced = true;
  }

  /** Flushes to the disk: a journal may only mention what is there. Bytes written meanwhile wait for the next call. */
  async sync(): Promise<void> {
    if (!this.#unsynced) return;
    this.#unsynced = false;
    await this.#try(async () => this.#handle?.datasync());
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #try<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw new ConvertError(`cannot write ${this.path}: ${messageOf(error)}`);
    }
  }
}
