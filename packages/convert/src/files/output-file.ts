// A file that grows at its end and may be cut back to a known length.

import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ConvertError, messageOf } from './convert-error.js';

export class OutputFile {
  #handle: FileHandle | undefined;
  #unsynced = false;

  /** `length`: bytes that are kept of what is there. Without `eager` the file is made with the first byte. */
  constructor(
    readonly path: string,
    public length: number,
  ) {}

  /** Makes it, or cuts off what an interrupted run left behind the last good byte. */
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
   * At once, not by another thread: the system copies the bytes and writes them later, and a main thread that converts
   * would take notice of the end of a write only a block later.
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

  /** Only what is on the disk may be told in a journal. What is written meanwhile waits for the next time. */
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
