// The difference of two texts, line by line, for settings that a person is to approve.

export interface DiffLine {
  /** `gap`: unchanged lines that are left out. */
  kind: 'same' | 'removed' | 'added' | 'gap';
  line: string;
}

const CONTEXT = 3;
/** Fields of the table of lengths: some megabytes. Beyond it everything that changed is shown as one stretch. */
const MOST = 1_000_000;

/** The lines that differ, with three around each. */
export function diffLines(old: readonly string[], now: readonly string[]): DiffLine[] {
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const changed = [old.slice(start, old.length - end), now.slice(start, now.length - end)] as const;
  return nearChanges([
    ...old.slice(0, start).map((line) => ({ kind: 'same' as const, line })),
    ...changedLines(...changed),
    ...old.slice(old.length - end).map((line) => ({ kind: 'same' as const, line })),
  ]);
}

/** The longest common subsequence stays; removed lines come before added ones. */
function changedLines(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1;
  const isSmall = (old.length + 1) * width <= MOST;
  // kept[i * width + j]: how many lines old[i…] and now[j…] have in common.
  const kept = new Uint16Array(isSmall ? (old.length + 1) * width : 0);
  const common = (i: number, j: number) => kept[i * width + j] ?? 0;
  if (isSmall)
    for (let i = old.length - 1; i >= 0; i--)
      for (let j = now.length - 1; j >= 0; j--)
        kept[i * width + j] =
          old[i] === now[j] ? common(i + 1, j + 1) + 1 : Math.max(common(i + 1, j), common(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [removed, added] = [old[i], now[j]];
    if (isSmall && removed !== undefined && removed === added) {
      lines.push({ kind: 'same', line: removed });
      i++;
      j++;
    } else if (removed !== undefined && (added === undefined || common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ kind: 'removed', line: removed });
      i++;
    } else {
      lines.push({ kind: 'added', line: added as string });
      j++;
    }
  }
  return lines;
}

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same');
  const last = lines.findLastIndex(({ kind }) => kind !== 'same');
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    // One mark for a stretch between two changes; none before the first, and none behind the last.
    return at > 0 && at < last && isNear(at - 1) ? [{ kind: 'gap' as const, line: '' }] : [];
  });
}
