/**
 * Long numbers in groups: 1,234,567. By hand, since the first number that Intl writes costs a page that is being loaded
 * some 50 ms.
 */
export function countWords(count: number): string {
  const digits = String(count);
  const first = digits.length % 3 || 3;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(',');
}
