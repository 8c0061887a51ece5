// The members of an object or of a call, in order, with what separates them: those that need not be there may be left
// out, and no separator stands alone.
//
//   first(i) = what may be written from the i-th on, nothing being written yet
//   after(i) = the same behind another member: each begins with the separator
//
// One rule a member, each used twice at most: the grammar grows with the list, not with its combinations.

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
  const named = (node: Node) => (isSmall(node) ? node : ruleOf(node, book));
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

function ruleOf(node: Node, book: RuleBook): Node {
  const name = book.reserve('members');
  book.define(name, node);
  return { type: 'ref', name };
}

function isNothing(node: Node): boolean {
  return node.type === 'text' && node.text === '';
}

function isSmall(node: Node): boolean {
  return node.type === 'ref' || node.type === 'text';
}

function unseparated(members: readonly ListMember[], more: Node | undefined): Node {
  const parts = members.map(({ node, required }) => (required ? node : optional(node)));
  return sequence(...parts, ...(more && !isNever(more) ? [repeat(more, 0)] : []));
}
