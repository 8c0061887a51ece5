// The suite: 60 or 600 requests, drawn from the files of the package with a seed. Two thirds are exact: they spell the
// call out, so that they test the endpoint. One third is judgement: whether a call is right at all, which also tests the
// model.

import type { Tool } from '@dragoman/core';
import { createRandom } from '@dragoman/core/internal';
import { ask, type Probe, user, type WantedCall } from '../probe.js';
import { exactPrompt, type Language } from './exact-prompt.js';
import { fillValues, type Random } from './fill-values.js';
import {
  type ExactCase,
  type JudgementCase,
  type SuiteFiles,
  type SuiteTool,
  suiteFiles,
} from './suite-files.js';

export const SUITE_SIZES = { quick: 60, full: 600 } as const;

export type SuiteName = keyof typeof SUITE_SIZES;

/** What every six cases of a language are. */
const KINDS = ['exact', 'exact', 'needs-call', 'exact', 'exact', 'needs-none'] as const;

export function drawSuite(size: number, seed: number): Probe[] {
  const files = suiteFiles();
  const random = createRandom(seed);
  // They begin with other tools, so that each tool comes with and without a stream in a short suite.
  const turns = { en: byTool('en', files, 0), zh: byTool('zh', files, 3) };
  return Array.from({ length: size }, (_, at) => {
    const language: Language = at % 2 === 0 ? 'en' : 'zh';
    const kind = KINDS[Math.floor(at / 2) % KINDS.length];
    const draw = {
      random,
      language,
      files,
      stream: at % 4 < 2,
      id: `suite.${at + 1}-${language}`,
    };
    if (kind === 'exact') return exactProbe(random.pick(turns[language]()), draw);
    const fits = files.judgement.filter(
      (one) => one.language === language && one.expect_call === (kind === 'needs-call'),
    );
    return judgementProbe(random.pick(fits), draw);
  });
}

/** Gives the cases of one tool after the other, so that a short suite has all of them. */
function byTool(language: Language, { exact, tools }: SuiteFiles, first: number): () => ExactCase[] {
  const groups = tools
    .map(({ name }) => exact.filter((one) => one.language === language && one.calls[0]?.name === name))
    .filter((cases) => cases.length > 0);
  let next = first;
  return () => groups[next++ % groups.length] ?? [];
}

export interface Draw {
  random: Random;
  language: Language;
  files: SuiteFiles;
  stream: boolean;
  id: string;
}

export function exactProbe({ calls }: Pick<ExactCase, 'calls'>, draw: Draw): Probe {
  const { random, language, files, stream, id } = draw;
  const wants = fillValues(calls, random, language, files) as WantedCall[];
  const messages = [user(exactPrompt(wants, language))];
  return {
    id,
    check: 'calls-tool',
    suite: 'exact',
    label: true,
    wants,
    steps: [ask({ messages, tools: offered(files, wants), stream })],
  };
}

export function judgementProbe(
  { ask: text, expect_call: label }: Pick<JudgementCase, 'ask' | 'expect_call'>,
  { random, language, files, stream, id }: Draw,
): Probe {
  const messages = [user(String(fillValues(text, random, language, files)))];
  return {
    id,
    check: 'calls-tool',
    suite: 'judgement',
    label,
    steps: [ask({ messages, tools: offered(files), stream })],
  };
}

function offered({ tools }: SuiteFiles, wants: readonly WantedCall[] = []): Tool[] {
  const isMeant = ({ name, own }: SuiteTool) => !own || wants.some((call) => call.name === name);
  return tools.filter(isMeant).map(({ own: _, ...tool }) => tool);
}
