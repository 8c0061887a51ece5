// How many threads, the main one among them, an input is worth.

/** So many blocks are converted while a thread begins, and half as many while it is not yet warm. */
const BLOCKS_A_THREAD = 8;

/** `size`: bytes of the input; 0 where it is not known. */
export function threadCount(
  { jobs, blockSize }: { readonly jobs: number; readonly blockSize: number },
  size: number,
): number {
  return size === 0 ? jobs : Math.max(1, Math.min(jobs, Math.ceil(size / (blockSize * BLOCKS_A_THREAD))));
}
