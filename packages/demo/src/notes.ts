// What a gateway says to a model beside the conversation, as the bridge words it: that a call is required, that
// only one is wanted, that the last reply was wrong. Read here as a model reads it, from the text.

export interface Notes {
  /** A call is required: of this tool, or of any (''). */
  required?: string;
  /** At most one call. */
  once: boolean;
  /** The last reply was wrong, and this was said about it. */
  again?: string;
  /** What the user said, without the notes. */
  text: string;
}

const REQUIRED = ['(Reply with a call of one of the tools.)', '（请回复一次工具调用。）'];
const ONCE = ['(At most one tool call in this reply.)', '（本次回复最多一个工具调用。）'];
const NAMED = [
  { open: '(Reply with a call of the tool ', close: '.)' },
  { open: '（请回复对工具 ', close: ' 的调用。）' },
];
const AGAIN = [
  'Nothing was run. Write your reply again, in the format that you were given.',
  '没有执行任何调用。请按照给你的格式重新回复。',
];
const MUST_NAME = [
  { open: 'Your reply must be a call of the tool ', close: '.\n' },
  { open: '你的回复必须是对工具 ', close: ' 的调用。' },
];
const MUST_CALL = ['must be a call', 'could not be read', '必须是一次工具调用', '无法读取'];
const NOT_RUN = ['Not run: ', 'Not run, ', '未执行：'];

export function readNotes(text: string): Notes {
  const again = AGAIN.some((words) => text.includes(words)) ? text : undefined;
  const notes: Notes = { once: false, text: text.trimEnd(), ...(again !== undefined && { again }) };
  if (again !== undefined) {
    const name = MUST_NAME.map((frame) => between(text, frame, text.indexOf(frame.open))).find(Boolean);
    const must = name ?? (MUST_CALL.some((words) => text.includes(words)) ? '' : undefined);
    return { ...notes, text: '', ...(must !== undefined && { required: must }) };
  }
  while (takeNote(notes)) notes.text = notes.text.trimEnd();
  return notes;
}

/** Notes stand at the very end. */
function takeNote(notes: Notes): boolean {
  const { text } = notes;
  const once = ONCE.find((words) => text.endsWith(words));
  if (once !== undefined) {
    notes.once = true;
    notes.text = text.slice(0, -once.length);
    return true;
  }
  const required = REQUIRED.find((words) => text.endsWith(words));
  if (required !== undefined) {
    notes.required = '';
    notes.text = text.slice(0, -required.length);
    return true;
  }
  return takeNamed(notes);
}

function takeNamed(notes: Notes): boolean {
  const { text } = notes;
  for (const frame of NAMED) {
    const start = text.endsWith(frame.close) ? text.lastIndexOf(frame.open) : -1;
    const name = between(text, frame, start);
    if (name === undefined || text.length !== start + frame.open.length + name.length + frame.close.length)
      continue;
    notes.required = name;
    notes.text = text.slice(0, start);
    return true;
  }
  return false;
}

function between(
  text: string,
  { open, close }: { open: string; close: string },
  start: number,
): string | undefined {
  if (start < 0) return undefined;
  const end = text.indexOf(close, start + open.length);
  return end < 0 ? undefined : text.slice(start + open.length, end);
}

/** A result by which the gateway, not the tool, says that the call was wrong. */
export function isNotRun(result: string): boolean {
  const said = result.startsWith('Error: ') ? result.slice('Error: '.length) : result;
  return NOT_RUN.some((words) => said.startsWith(words));
}
