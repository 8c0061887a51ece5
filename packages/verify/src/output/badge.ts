// A badge: how many checks pass, as a small picture for a README.

import { isRight, type VerifyReport } from '../report.js';

const LABEL = 'tool calls';
/** The width of a character of the font, on average, and the space around a text. */
const WIDE = 6.6;
const SPACE = 12;

export function badgeOf(report: VerifyReport): string {
  const judged = report.checks.filter(({ status }) => status !== 'skipped');
  const passed = judged.filter(({ status }) => status !== 'fail').length;
  const text = `${passed}/${judged.length}`;
  const isWrong = judged.some(({ status, required }) => status === 'fail' && required);
  const isGreen = isRight(report) && passed === judged.length;
  const colour = isGreen ? '#1a7f37' : isWrong || judged.length === 0 ? '#b42318' : '#9a6700';
  const left = Math.round(LABEL.length * WIDE + SPACE);
  const right = Math.round(text.length * WIDE + SPACE);
  const words = `${LABEL}: ${passed} of ${judged.length} checks pass${report.stopped ? ', the run is not finished' : ''}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${words}">
<title>${words}</title>
<rect width="${left}" height="20" rx="3" fill="#444"/>
<rect x="${left - 3}" width="${right + 3}" height="20" rx="3" fill="${colour}"/>
<rect x="${left - 3}" width="6" height="20" fill="${colour}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${left / 2}" y="14">${LABEL}</text>
<text x="${left + right / 2}" y="14">${text}</text>
</g>
</svg>
`;
}
