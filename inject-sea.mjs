// Puts a blob into a copy of Node, where Node's single executables look for it.
//
// ELF (Linux): a note NODE_SEA_BLOB, in a segment that is loaded. The table of program headers has no room for two more, so
// a copy of it with them goes into the new segment, too:
//
//   old file │ gap │ new table of headers │ note: sizes, type, name, blob
//                  ^ page, at the same distance from its address as the first segment: older kernels count on it
//
// Other systems: with the package postject, which must be installed.

import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const NAME = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const PAGE = 0x10000;
const [LOAD, NOTE, PHDR, READABLE] = [1, 4, 6, 4];

/** `program` is written as a copy of `node` that holds `blob`. */
export async function injectSea(node, program, blob) {
  const bytes = readFileSync(node);
  if (isElf64(bytes)) {
    writeFileSync(program, withNote(bytes, blob));
    chmodSync(program, 0o755);
    return;
  }
  copyFileSync(node, program);
  chmodSync(program, 0o755);
  const { inject } = createRequire(import.meta.url)('postject');
  const macho = process.platform === 'darwin' ? { machoSegmentName: 'NODE_SEA' } : {};
  await inject(program, NAME, blob, { sentinelFuse: FUSE, ...macho });
}

/** 64 bits, little-endian. */
function isElf64(bytes) {
  return bytes.subarray(0, 6).toString('latin1') === '\x7fELF\x02\x01';
}

function withNote(bytes, blob) {
  const segments = readSegments(bytes);
  const loads = segments.filter(({ type }) => type === LOAD);
  const distance = loads[0].address - loads[0].offset;
  const end = Math.max(...loads.map(({ address, memory }) => address + memory));
  const offset = roundUp(Math.max(bytes.length, end - distance), PAGE);
  const headers = (segments.length + 2) * HEADER;
  const note = noteOf(blob);
  const at = { offset: offset + headers, address: offset + headers + distance };
  const table = [
    ...segments.map((one) =>
      one.type === PHDR
        ? { ...one, offset, address: offset + distance, size: headers, memory: headers }
        : one,
    ),
    {
      type: LOAD,
      flags: READABLE,
      offset,
      address: offset + distance,
      size: headers + note.length,
      memory: headers + note.length,
      align: PAGE,
    },
    { type: NOTE, flags: READABLE, ...at, size: note.length, memory: note.length, align: 4 },
  ];
  const made = Buffer.concat([
    bytes,
    Buffer.alloc(offset - bytes.length),
    writeSegments(inOrder(table)),
    note,
  ]);
  made.writeBigUInt64LE(BigInt(offset), 32);
  made.writeUInt16LE(table.length, 56);
  const fuse = made.indexOf(`${FUSE}:0`);
  if (fuse < 0) throw new Error('this Node cannot be made a single executable: it has no fuse for it');
  made.write('1', fuse + FUSE.length + 1);
  return made;
}

/** The segments that are loaded stand in the order of their addresses; PT_PHDR stands before them. */
function inOrder(table) {
  const first = table.filter(({ type }) => type === PHDR);
  return [...first, ...table.filter(({ type }) => type !== PHDR)];
}

const HEADER = 56;

function readSegments(bytes) {
  const start = Number(bytes.readBigUInt64LE(32));
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const at = start + index * HEADER;
    const long = (place) => Number(bytes.readBigUInt64LE(at + place));
    return {
      type: bytes.readUInt32LE(at),
      flags: bytes.readUInt32LE(at + 4),
      offset: long(8),
      address: long(16),
      size: long(32),
      memory: long(40),
      align: long(48),
    };
  });
}

function writeSegments(segments) {
  const bytes = Buffer.alloc(segments.length * HEADER);
  for (const [index, { type, flags, offset, address, size, memory, align }] of segments.entries()) {
    const at = index * HEADER;
    bytes.writeUInt32LE(type, at);
    bytes.writeUInt32LE(flags, at + 4);
    const longs = [offset, address, address, size, memory, align];
    for (const [place, value] of longs.entries()) bytes.writeBigUInt64LE(BigInt(value), at + 8 + place * 8);
  }
  return bytes;
}

function noteOf(blob) {
  const name = Buffer.from(`${NAME}\0`);
  const head = Buffer.alloc(12);
  head.writeUInt32LE(name.length, 0);
  head.writeUInt32LE(blob.length, 4);
  const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(roundUp(bytes.length, 4) - bytes.length)]);
  return Buffer.concat([head, padded(name), padded(blob)]);
}

function roundUp(value, step) {
  return Math.ceil(value / step) * step;
}
