// The rule of an object's or a call's members, in order, with separators. Optional members may be left out, and no
// separator is left over.
//
//   first(i) = the members from the i-th on, if none was written yet
//   after(i) = the same after another member: each begins with the separator
//
// Each member has its own rule, used at most twice, so the grammar grows with the list and not with its combinations.

import { choice, EMPTY, isNever, type Node, optional, repeat, sequence } from './node.js';
import type { RuleBook } from './rule-book.js';

export interface ListMember {
  node: Node;
  required: boolean;
}

export function memberList(
  members: readonly ListMember[],
  between: Node | undefined,
  more: Node | undefined,
  book: RuleBook,
): Node {
  const given = members.filter(({ node, required }) => required || !isNever(node));
  if (!between || isNothing(between)) return unseparated(given, more);
  const rest = more && !isNever(more) ? repeat(sequence(between, more), 0) : EMPTY;
  const named = (node: Node) =>
    node.type === 'ref' || node.type === 'text' ? node : book.rule('members', node);
  let after: Node = rest;
  let first: Node = more && !isNever(more) ? optional(sequence(more, rest)) : EMPTY;
  for (const { node, required } of [...given].reverse()) {
    const shared = named(node);
    const begun = sequence(shared, after);
    first = required ? begun : choice(begun, first);
    after = named(
      sequence(required ? sequence(between, shared) : optional(sequence(between, shared)), after),
    );
    first = named(first);
  }
  return first;
}

function isNothing(node: Node): boolean {
  return node.type === 'text' && node.text === '';
}

function unseparated(members: readonly ListMember[], more: Node | undefined): Node {
  const parts = members.map(({ node, required }) => (required ? node : optional(node)));
  return sequence(...parts, ...(more && !isNever(more) ? [repeat(more, 0)] : []));
}
