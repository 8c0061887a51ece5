// A size that can go on where another one was.

import { CallSize } from '@dragoman/core/bridge';

/** What was counted up to a place between two strings. The count of what follows depends on nothing else. */
export interface SizeMark {
  elements: number;
  inStrings: number;
  brokenBytes: number;
  /** The levels that are open. */
  depth: number;
}

export class MarkedSize extends CallSize {
  /** Gives a size that goes on from a mark; its levels are those that were open there. */
  static after({ elements, inStrings, brokenBytes, depth }: SizeMark): MarkedSize {
    const size = new MarkedSize();
    Object.assign(size, { elements, inStrings, brokenBytes, depth, levels: depth });
    return size;
  }

  /** Undefined in a string, and behind a name of arguments: there, the count depends on more. */
  mark(): SizeMark | undefined {
    const { elements, inStrings, brokenBytes, depth } = this;
    const isUnended = this.inString || this.nameAt === elements;
    return isUnended ? undefined : { elements, inStrings, brokenBytes, depth };
  }
}
