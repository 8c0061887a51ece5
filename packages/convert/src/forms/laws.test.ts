// The laws of the forms, for every form of the list and every ordered pair.
//
// The corpus and a dozen generated conversations for each form in every run, and for each pair every other of them,
// in turn: all of them meet each form from both sides. `CONVERT_RUNS=10000 npx vitest run
// packages/core/src/convert/laws.test.ts` is the full measure, `CONVERT_SEED` another draw, and `CONVERT_DIALECTS`
// (names with commas, or `all`: the project's own and one of each kind of the field's, since every pair of forms is
// tried) the dialects of the forms that are text. text-laws.test.ts tries each dialect by itself.

import { findDialect } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPromptsOf, representatives } from '../../../core/src/dialects/every.fixture.js';
import { writeJson } from '../quick/plain-json.js';
import { promptForm } from '../text/prompt-form.js';
import { saidBy } from './compare.fixture.js';
import { anyTranscript, corpusTranscripts } from './conversations.fixture.js';
import { parseRow } from './convert.js';
import { type Form, type Note, type ReadTranscript, RowError, type Transcript } from './form.js';
import { forms } from './forms.js';

const runs = Number(process.env.CONVERT_RUNS ?? 14);
const seed = Number(process.env.CONVERT_SEED ?? 5);
/** A pair of forms gets every other conversation, or all where their number was asked for. */
const SHARE = process.env.CONVERT_RUNS ? 1 : 2;
const timeout = Math.max(180_000, runs * 60);

const tried = process.env.CONVERT_DIALECTS ?? 'hermes,glm-4.5';
const spoken = tried === 'all' ? representatives : tried.split(',').map(findDialect);

const all: { name: string; form: Form }[] = forms.flatMap((form) =>
  'create' in form
    ? spoken
        .filter((dialect) => form !== promptForm || readPromptsOf.includes(dialect))
        .map((dialect) => ({ name: `${form.name} in ${dialect.name}`, form: form.create(dialect) }))
    : [{ name: form.name, form }],
);
const pairs = all.flatMap((a) => all.filter((b) => b !== a).map((b) => ({ a, b })));
const corpus = corpusTranscripts();
/** Drawn once for all pairs: drawing takes longer than converting. */
const generated = fc.sample(anyTranscript, { numRuns: runs, seed });

/** Holds a law for what was drawn. What breaks it is drawn again, to be shrunk to its smallest. */
function holdFor(law: (transcript: Transcript, at: number) => void, drawn = generated): void {
  try {
    drawn.forEach((transcript, at) => {
      law(transcript, at);
    });
  } catch (error) {
    fc.assert(
      fc.property(anyTranscript, (transcript) => law(transcript, 0)),
      { numRuns: runs, seed },
    );
    throw error;
  }
}

/** Through the text of a row, as a file holds it. Undefined where the form refuses to say it. */
function through(form: Form, transcript: Transcript, notes: Note[]): ReadTranscript | undefined {
  let written: ReturnType<Form['write']>;
  try {
    written = form.write(transcript);
  } catch (error) {
    if (error instanceof RowError) return undefined;
    throw error;
  }
  notes.push(...written.notes);
  return form.read(parseRow(writeJson(written.row)));
}

function lossesOf(notes: readonly Note[]): Set<string> {
  return new Set(notes.filter(({ kind }) => kind === 'loss').map(({ code }) => code));
}

/** Equal but for the losses that are noted, and (if `each`) each of these did happen. */
function expectOnlyNoted(before: Transcript, after: Transcript, notes: readonly Note[], each: boolean): void {
  const codes = lossesOf(notes);
  if (saidBy(after, codes) !== saidBy(before, codes)) {
    expect(saidBy(after, codes), `noted: ${[...codes].join()}`).toBe(saidBy(before, codes));
  }
  for (const code of each ? codes : []) {
    const others = new Set([...codes].filter((other) => other !== code));
    const happened = saidBy(after, others) !== saidBy(before, others);
    if (!happened) expect.fail(`the loss '${code}' is noted, but nothing of the kind was lost`);
  }
}

const sources = new Map<Form, Map<Transcript, Transcript | undefined>>();

/** A conversation as a form says it: where each pair of this form begins, and made once for all of them. */
function sourceOf(form: Form, transcript: Transcript): Transcript | undefined {
  const known = sources.get(form) ?? new Map<Transcript, Transcript | undefined>();
  sources.set(form, known);
  if (known.has(transcript)) return known.get(transcript);
  const { notes: _, ...source } = through(form, transcript, []) ?? { notes: undefined };
  known.set(transcript, 'conversation' in source ? source : undefined);
  return known.get(transcript);
}

function thereAndBack(a: Form, b: Form, transcript: Transcript, each: boolean): 'said' | 'refused' {
  const source = sourceOf(a, transcript);
  if (source === undefined) return 'refused';
  const notes: Note[] = [];
  const second = through(b, source, notes);
  if (second === undefined) return 'refused';
  const third = through(a, second, notes);
  if (third === undefined) return 'refused';
  expectOnlyNoted(source, third, notes, each);
  return 'said';
}

describe.each(all)('the form $name', ({ form }) => {
  const once = (transcript: Transcript) => {
    const notes: Note[] = [];
    const read = through(form, transcript, notes);
    if (read === undefined) return 'refused';
    expectOnlyNoted(transcript, read, notes, true);
    return 'said';
  };

  it.each(corpus)('reads what it wrote of $name, but for the losses it notes', ({ transcript }) => {
    once(transcript);
  });

  it(
    'reads what it wrote of any conversation, but for the losses it notes',
    () => {
      let said = 0;
      holdFor((transcript) => {
        if (once(transcript) === 'said') said++;
      });
      expect(said).toBeGreaterThan(runs / 2);
    },
    timeout,
  );

  it(
    'writes what it read as the same bytes, and notes no loss',
    () => {
      holdFor((transcript) => {
        const first = rowOf(form, transcript);
        if (first === undefined) return;
        const { notes: _, ...read } = form.read(parseRow(first));
        const again = form.write(read);
        const losses = [...lossesOf(again.notes)].join();
        if (writeJson(again.row) !== first || losses !== '')
          expect([writeJson(again.row), losses]).toEqual([first, '']);
      });
    },
    timeout,
  );
});

function rowOf(form: Form, transcript: Transcript): string | undefined {
  try {
    return writeJson(form.write(transcript).row);
  } catch (error) {
    if (error instanceof RowError) return undefined;
    throw error;
  }
}

describe.each(pairs)('from $a.name to $b.name and back', ({ a, b }) => {
  const turn = all.indexOf(a) + all.indexOf(b);
  const inTurn = (_: unknown, at: number) => at % SHARE === turn % SHARE;

  it('the corpus says the same, but for the losses that are noted', () => {
    const tried = corpus.filter(inTurn);
    const results = tried.map(({ transcript }) => thereAndBack(a.form, b.form, transcript, true));
    expect(results.filter((result) => result === 'said').length).toBeGreaterThan(tried.length / 2);
  });

  it(
    'any conversation says the same, but for the losses that are noted',
    () => {
      const drawn = generated.filter(inTurn);
      let said = 0;
      // That each loss happened is dear to see, and seen for each form alone, too.
      holdFor((transcript, at) => {
        if (thereAndBack(a.form, b.form, transcript, at % 5 === 0) === 'said') said++;
      }, drawn);
      expect(said).toBeGreaterThan(drawn.length / 2);
    },
    timeout,
  );
});
