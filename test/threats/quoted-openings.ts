/** Each opens something that may show a call, again and again, or looks like it. § stands for another number each time. */
export const openings: readonly string[] = [
  '<a>\n',
  '<p>',
  '<p>\n</p>\n',
  '- ',
  '<<A ',
  'cat <<eofs\n',
  '....\n',
  '>\n',
  'Now ',
  '\\begin{a}\n',
  'x: |\n',
  'Example:\n',
  '</',
  '@@ \n',
  '<',
  '<a§>\n',
  'cat <<eof§\n',
  '\\begin{a§}\n',
];

/** The piece so many times, from this number on. */
export function repeated(piece: string, count: number, from = 0): string {
  if (!piece.includes('§')) return piece.repeat(count);
  return Array.from({ length: count }, (_, at) => piece.replace('§', `${from + at}`)).join('');
}
