// The error results of calls that were not run: what happened, and what the model can do.

const MAX_NAMES = 50;
const MAX_QUOTE = 500;

export const stopped = 'The call was not run: the run was stopped before.';
export const leftBehind =
  'The run was stopped before this call had a result. It may have done part of its work.';
export const cutOff = 'The call was not run: the answer it stands in was cut off, so none of its calls was.';
export const withheld = 'The call was not run: the provider withheld part of the answer it stands in.';
export const noneAllowed = 'The call was not run: no tool may be called here. Answer in words.';
export const slowCheck = 'The call was not run: the check of its input took too long.';
export const nobodyToAsk = 'The call was not run: this tool needs approval, and there is nobody to ask.';

export function notApproved(reason: string): string {
  return reason === '' ? 'The call was refused and not run.' : `The call was refused and not run: ${reason}`;
}

export function brokenCheck(reason: string): string {
  return `The call was not run: its input could not be checked. ${reason}`;
}

export function wrongInput(name: string, problems: readonly string[]): string {
  return `The call was not run: the input of "${name}" is wrong. ${problems.join('; ')}.`;
}

export function unreadable(fault: string, raw: string): string {
  const quoted = raw.length > MAX_QUOTE ? `${raw.slice(0, MAX_QUOTE)}…` : raw;
  return `The call was not run: its input is no JSON object (${fault}). It was: ${quoted}`;
}

export function unknownTool(name: string, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const there = names.length > 0 ? `The tools are: ${shown}${more}.` : 'There are no tools.';
  return `The call was not run: there is no tool named "${name.slice(0, 100)}". ${there}`;
}

export function repeated(times: number): string {
  const advice = 'Use the result you have, change the input, try another way, or say what holds you up.';
  return `The call was not run: this same call with this same input has just been run ${times === 1 ? 'once' : `${times} times`}. ${advice}`;
}

export function tooMany(limit: number): string {
  return `The call was not run: the limit of ${limit} calls is reached.`;
}
