// What agents put around a user's words: reminders, an environment, a note on the editor's state.
//
//   <system-reminder>…</system-reminder>What is in README.md?
//
// Only blocks whose tag has a `-` or `_` in its name: users write about `<div>`, agents about these.

export function withoutAsides(text: string): string {
  let out = '';
  let done = 0;
  const unclosed = new Set<string>();
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const tag = asideTag(text, at);
    const close = tag === undefined ? '' : `</${tag}>`;
    const isSought = tag !== undefined && !unclosed.has(tag) && unclosed.size < MAX_UNCLOSED;
    const end = isSought ? text.indexOf(close, at) : -1;
    if (end < 0) {
      if (isSought) unclosed.add(tag);
      at++;
      continue;
    }
    out += text.slice(done, at);
    done = end + close.length;
    at = done;
  }
  return out + text.slice(done);
}

/** A search that failed cost the whole rest of the text. */
const MAX_UNCLOSED = 20;

/** Names are short, so that a flood of `<` costs no more than its length. */
const MAX_TAG = 40;

function asideTag(text: string, at: number): string | undefined {
  const end = text.slice(at + 1, at + 2 + MAX_TAG).indexOf('>');
  const tag = end < 0 ? '' : text.slice(at + 1, at + 1 + end);
  const isAside = (tag.includes('-') || tag.includes('_')) && /^[a-z][a-z_-]*$/.test(tag);
  return isAside ? tag : undefined;
}
