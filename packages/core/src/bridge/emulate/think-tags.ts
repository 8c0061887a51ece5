// The tags of a thought, where they stand before a call that is given back as text.

/** The text behind the tags of reasoning at its start; all of it, if there are none. */
export function behindThinkTags(text: string, { open, close }: { open: string; close: string }): string {
  let rest = text;
  for (;;) {
    const line = rest.trimStart();
    const tag = [open, close].find((one) => line.startsWith(one));
    if (tag === undefined) return rest;
    rest = line.slice(tag.length).trimStart();
  }
}
