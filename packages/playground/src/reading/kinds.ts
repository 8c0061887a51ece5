// The kinds of characters: what each was read as.

/** For the legend: a name and a sentence for newcomers. */
export const kindWords = {
  text: { title: 'Text', about: 'What the model says to a person.' },
  reasoning: { title: 'Reasoning', about: 'What the model thinks before it answers.' },
  'call-name': { title: 'Call name', about: 'The tool that is called.' },
  argument: { title: 'Argument', about: 'What the tool is given.' },
  markup: { title: 'Markup', about: 'Tags and brackets that only frame the rest.' },
  repaired: { title: 'Repaired', about: 'A small fault that was read as meant.' },
  'at-fault': { title: 'At fault', about: 'Wrong, and reported.' },
};

export type CharacterKind = keyof typeof kindWords;

export const kinds = Object.keys(kindWords) as CharacterKind[];
