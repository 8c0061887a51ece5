// Shows the gateway's report on an answer: dialect, issues, repairs, re-asks.

import type { Report } from '@dragoman/core';
import { For, Show } from 'solid-js';
import { words } from '../words/words.js';
import { modeWords, reportLines } from './report-words.js';
import './answer-view.css';

export function ReportView(props: { report: Report }) {
  const lines = () => reportLines(props.report);
  return (
    <div class="report">
      <p class="prose">{modeWords(props.report)}</p>
      <Show when={lines().length > 0} fallback={<p class="faint">{words().gateway.clean}</p>}>
        <ul>
          <For each={lines()}>
            {(line) => (
              <li>
                <Show when={line.code}>
                  <code class={`report-${line.type}`}>{line.code}</code>{' '}
                </Show>
                {line.text}
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}
