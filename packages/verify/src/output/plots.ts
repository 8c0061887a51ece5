// The plots of the page: they need no script, and follow the colours of the page.

import type { CheckResult } from '../report.js';

/** A bar for each check: the share of its answers that pass. Of plain elements, so that its words stay readable on a phone. */
export function passRates(checks: readonly CheckResult[]): string {
  const rows = checks
    .filter(({ of }) => of > 0)
    .map(({ id, passed, of, status }) => {
      const width = ((passed / of) * 100).toFixed(1);
      return `<li><span>${id}</span><span class="rail"><span class="bar ${status}" style="width:${width}%"></span></span><span>${passed}/${of}</span></li>`;
    });
  return `<ul class="rates">${rows.join('\n')}</ul>`;
}

const WIDE = 520;
const HIGH = 180;
const EDGE = 34;

/** How much of an answer has arrived at which share of its time, on average over all streams. */
export function growthPlot(growth: readonly number[]): string {
  const x = (at: number) => EDGE + (at / (growth.length - 1)) * (WIDE - 2 * EDGE);
  const y = (share: number) => HIGH - EDGE - share * (HIGH - 2 * EDGE);
  const points = growth.map((share, at) => `${x(at).toFixed(1)},${y(share).toFixed(1)}`).join(' ');
  const last = growth.length - 1;
  const inner = `<line class="axis" x1="${EDGE}" y1="${y(0)}" x2="${x(last)}" y2="${y(0)}"/>
<line class="axis" x1="${EDGE}" y1="${y(0)}" x2="${EDGE}" y2="${y(1)}"/>
<line class="even" x1="${EDGE}" y1="${y(0)}" x2="${x(last)}" y2="${y(1)}"/>
<polyline class="curve" points="${points}"/>
<text x="${x(last)}" y="${HIGH - 12}" text-anchor="end">time of the answer</text>
<text x="${EDGE}" y="${EDGE - 12}">arrived</text>
<text x="${EDGE - 6}" y="${y(1) + 4}" text-anchor="end">all</text>
<text x="${EDGE - 6}" y="${y(0) + 4}" text-anchor="end">0</text>`;
  return svg(WIDE, HIGH, 'How answers grow over the time of the stream', inner);
}

function svg(width: number, height: number, title: string, inner: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" style="max-width:${width}px">
<title>${title}</title>
${inner}
</svg>`;
}
