// Recognises IP addresses without `node:net`, which edge workers do not have.

/** Longer texts are not parsed. */
const MAX_LENGTH = 128;
/** How many 16-bit groups an IPv6 address has. */
const GROUPS = 8;

/** Gives 4 or 6, or 0 if it is no address. */
export function ipVersion(text: string): 0 | 4 | 6 {
  if (text.length > MAX_LENGTH) return 0;
  if (isIPv4(text)) return 4;
  return isIPv6(text) ? 6 : 0;
}

/** Whether it is four numbers without leading zeros: some programs read those as octal. */
export function isIPv4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/.test(part) && Number(part) < 256)
  );
}

/** Whether it is an IPv6 address; a zone after `%` names the network interface. */
function isIPv6(text: string): boolean {
  const percent = text.indexOf('%');
  if (percent >= 0)
    return /^[0-9A-Za-z.:-]+$/.test(text.slice(percent + 1)) && isIPv6(text.slice(0, percent));
  const [before = '', after, ...more] = text.split('::');
  if (more.length > 0) return false;
  if (after === undefined) return groupsIn(before, true) === GROUPS;
  const left = before === '' ? 0 : groupsIn(before, false);
  const right = after === '' ? 0 : groupsIn(after, true);
  // `::` stands for at least one group.
  return left !== undefined && right !== undefined && left + right < GROUPS;
}

/** Counts the groups. The last two may be written as an IPv4 address. */
function groupsIn(text: string, last: boolean): number | undefined {
  const groups = text.split(':');
  const tail = last && isIPv4(groups.at(-1) ?? '') ? 1 : 0;
  const plain = tail === 1 ? groups.slice(0, -1) : groups;
  return plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group)) ? plain.length + 2 * tail : undefined;
}
