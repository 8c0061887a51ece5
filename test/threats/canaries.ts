// Looks for canaries: keys that entered somewhere and must come out nowhere.

/** What came out, and where. */
export type Shown = [from: string, text: string];

/** Where canaries, by where they entered, are in what was shown. */
export function canariesIn(canaries: Readonly<Record<string, string>>, shown: readonly Shown[]): string[] {
  return Object.entries(canaries).flatMap(([place, secret]) =>
    shown.flatMap(([from, text]) => {
      const spelled = spellings(secret).find((one) => text.includes(one));
      return spelled === undefined ? [] : [`${place} in ${from}: ${around(text, spelled)}`];
    }),
  );
}

/** As it is, and as others could spell it. */
function spellings(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ];
}

function around(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(Math.max(0, at - 100), at + part.length + 20);
}
