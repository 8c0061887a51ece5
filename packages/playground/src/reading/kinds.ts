// The kinds of characters: what each was read as.

export const kinds = [
  'text',
  'reasoning',
  'call-name',
  'argument',
  'markup',
  'repaired',
  'at-fault',
] as const;

export type CharacterKind = (typeof kinds)[number];

/** For the legend: a name and a sentence for newcomers. */
export const kindWords: Record<CharacterKind, { title: string; about: string }> = {
  text: { title: 'Text', about: 'What the model says to a person.' },
  reasoning: { title: 'Reasoning', about: 'What the model thinks before it answers.' },
  'call-name': { title: 'Call name', about: 'The tool that is called.' },
  argument: { title: 'Argument', about: 'What the tool is given.' },
  markup: { title: 'Markup', about: 'Tags and brackets that only frame the rest.' },
  repaired: { title: 'Repaired', about: 'A small fault that was read as meant.' },
  'at-fault': { title: 'At fault', about: 'Wrong, and reported.' },
};
