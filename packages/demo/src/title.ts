// Agents ask for the title of a conversation beside it, without tools: answered as shortly as it is asked.

const MAX_WORDS = 6;
const MAX_LENGTH = 50;

/** A title, if that is what is asked for. */
export function titleFor(question: string, system: string): string | undefined {
  const asked = `${system}\n${question.slice(0, 500)}`.toLowerCase();
  if (!asked.includes('title') && !asked.includes('标题')) return undefined;
  const title = titleOf(question);
  if (!asked.includes('json')) return title;
  return JSON.stringify({ ...(asked.includes('isnewtopic') && { isNewTopic: true }), title });
}

/** The first words of the last line: requests put the conversation behind what they ask. */
function titleOf(question: string): string {
  const lines = question.split('\n').filter((line) => line.trim() !== '');
  const words = (lines.at(-1) ?? '')
    .replaceAll(/[`"<>{}[\]]/g, '')
    .trim()
    .split(' ');
  const title = words.slice(0, MAX_WORDS).join(' ').slice(0, MAX_LENGTH);
  return title === '' ? 'Demo' : title;
}
