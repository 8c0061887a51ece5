// The checks of `dragoman verify` as a part of docs/verify.md, made from their values.

const BEGIN = '<!-- checks -->';
const END = '<!-- /checks -->';

/**
 * The engines that people run themselves, with the names that the checks have for them.
 *
 * @type {readonly (readonly [name: string, shown: string])[]}
 */
const engines = [
  ['vllm', 'vLLM'],
  ['sglang', 'SGLang'],
  ['llama.cpp', 'llama.cpp'],
  ['ollama', 'Ollama'],
  ['lm-studio', 'LM Studio'],
];

/** @param {{ checks: readonly any[] }} verify  @param {string} text */
export function withChecks({ checks }, text) {
  const [before, rest = ''] = text.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  return `${before}${BEGIN}\n\n${checks.map(section).join('\n')}\n${after}`;
}

/** @param {any} check */
function section({ id, title, required, sends, expects, why, reports = [], advice }) {
  const links = reports.map(linkOf).join(', ');
  const rows = engines.map(([name, shown]) => `| ${shown} | ${cell(advice[name] ?? 'as on any server')} |`);
  return `### \`${id}\`

On a right endpoint, it ${title}.${required ? '' : ' Not required: a failure is shown, and does not change the exit code.'}

Sends: ${sends} Expects: ${expects} ${why}${links === '' ? '' : ` Reported as ${links}.`}

| on | what to do |
| --- | --- |
| any server | ${cell(advice.any)} |
${rows.join('\n')}
`;
}

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|');

/** @param {string} report */
function linkOf(report) {
  const [name, number] = report.split('#');
  return `[${report}](https://github.com/${name}${number === undefined ? '' : `/issues/${number}`})`;
}
