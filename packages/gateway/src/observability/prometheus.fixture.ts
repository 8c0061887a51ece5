// A strict reader of the Prometheus text format, for tests: written from the format's description, it refuses
// whatever a scraper could stumble over.

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

interface Family {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

export function readMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line must end with a line break.');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let open: Family | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    if (line.startsWith('#')) {
      open = readComment(line, families, open);
      continue;
    }
    const sample = readSample(line);
    if (!open || !belongs(sample, open)) throw new Error(`A sample outside of its family: ${line}`);
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(key)) throw new Error(`The same series twice: ${line}`);
    seen.add(key);
    open.samples.push(sample);
  }
  for (const family of families.values()) if (family.type === 'histogram') checkHistogram(family);
  return families;
}

function readComment(line: string, families: Map<string, Family>, open: Family | undefined): Family {
  const match = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
  if (!match) throw new Error(`A comment that is neither HELP nor TYPE: ${line}`);
  const [, kind, name = '', rest = ''] = match;
  if (kind === 'HELP') {
    if (families.has(name)) throw new Error(`HELP twice, or groups torn apart: ${name}`);
    const family = { name, type: '', help: rest, samples: [] };
    families.set(name, family);
    return family;
  }
  if (open?.name !== name || open.type !== '') throw new Error(`TYPE must follow HELP, once: ${name}`);
  if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest))
    throw new Error(`No type: ${rest}`);
  open.type = rest;
  return open;
}

function belongs({ name, labels }: Sample, family: Family): boolean {
  if (family.type !== 'histogram') return name === family.name;
  if (name === `${family.name}_bucket`) return Object.hasOwn(labels, 'le');
  return name === `${family.name}_sum` || name === `${family.name}_count`;
}

function readSample(line: string): Sample {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0];
  if (name === undefined) throw new Error(`No name: ${line}`);
  let at = name.length;
  const labels: Record<string, string> = {};
  if (line[at] === '{') {
    at++;
    while (line[at] !== '}') {
      const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="/.exec(line.slice(at));
      if (!label?.[1]) throw new Error(`No label at ${at}: ${line}`);
      if (Object.hasOwn(labels, label[1])) throw new Error(`A label twice: ${line}`);
      const { value, end } = readValue(line, at + label[0].length);
      labels[label[1]] = value;
      at = end;
      if (line[at] === ',') at++;
      else if (line[at] !== '}') throw new Error(`Expected , or } at ${at}: ${line}`);
    }
    at++;
  }
  if (line[at] !== ' ') throw new Error(`Expected a space at ${at}: ${line}`);
  return { name, labels, value: readNumber(line.slice(at + 1)) };
}

function readValue(line: string, from: number): { value: string; end: number } {
  let value = '';
  for (let at = from; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '"') return { value, end: at + 1 };
    if (character === '\\') {
      const escaped = { n: '\n', '\\': '\\', '"': '"' }[line.charAt(++at)];
      if (escaped === undefined) throw new Error(`An escape that is none at ${at}: ${line}`);
      value += escaped;
    } else value += character;
  }
  throw new Error(`A label without end: ${line}`);
}

/** As Go reads floats: words in any case. */
function readNumber(text: string): number {
  if (/^nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?inf$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw new Error(`No number: ${text}`);
  return Number(text);
}

function checkHistogram({ name, samples }: Family): void {
  const series = new Map<string, { buckets: [number, number][]; sum?: number; count?: number }>();
  for (const { name: sampleName, labels, value } of samples) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(Object.entries(rest).sort());
    const one = series.get(key) ?? { buckets: [] };
    series.set(key, one);
    if (le !== undefined) one.buckets.push([readNumber(le), value]);
    else if (sampleName.endsWith('_sum')) one.sum = value;
    else one.count = value;
  }
  for (const { buckets, sum, count } of series.values()) {
    const last = buckets.at(-1);
    if (last?.[0] !== Infinity || last[1] !== count || sum === undefined)
      throw new Error(`${name}: no +Inf, sum or count`);
    buckets.forEach(([le, value], at) => {
      const [before = -Infinity, less = 0] = buckets[at - 1] ?? [];
      if (le <= before || value < less) throw new Error(`${name}: buckets must grow`);
    });
  }
}
