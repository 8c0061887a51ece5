// dragoman verify: tests the tool calling of an endpoint.

import { apiNames, defaultWire } from '@dragoman/core/wire';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { dialectChoices } from '../find-dialect.js';
import { ggufOptions, ggufWords } from '../gguf-options.js';
import { runVerify } from '../verify/run-verify.js';

/** Only APIs that clients use can be tested. */
const APIS = apiNames.filter((name) => !name.endsWith('completions'));

export const verifyCommand: Command = {
  usage: 'verify <url> | --gguf <path> [--model <name>] [--suite <name>]',
  about:
    'Tests the tool calling of an endpoint: whether calls come, leak into the text, break their schema, differ when they stream, and what the person who runs it can do. Every answer is judged by 28 checks. It sends about 140 requests with the quick suite, about 680 with the full one.',
  examples: {
    'The demo model of a gateway on this machine.': 'dragoman verify http://127.0.0.1:8787/v1 --model demo',
    'A report to look at, and every exchange kept.': `dragoman verify http://localhost:8000/v1 --model qwen3-coder \\
  --html report.html --save exchanges`,
    'What Dragoman in front of it would mend.':
      'dragoman verify http://localhost:11434/v1 --model qwen3:8b --compare',
    'Judge the kept exchanges again, without the endpoint.': 'dragoman verify --replay exchanges',
  },
  options: {
    '-m, --model <name>': 'Default: the only one the endpoint lists.',
    ...ggufOptions,
    '-d, --dialect <name>': 'With --gguf: its dialect. Default: auto, by its name and chat template.',
    '--key <key>':
      'The API key. Better set as DRAGOMAN_VERIFY_KEY, where other programs do not see it. Default: none.',
    '--api <api>': `${APIS.join(', ')}. Default: ${defaultWire.name}.`,
    '--suite <name>':
      'quick, full, or a file of JSON lines: cases as in the files of the suite, or chat requests. Default: quick.',
    '--runs <n>': 'How often everything is sent. Default: 1.',
    '--seed <n>': 'What the suite is drawn with. Default: 1.',
    '--concurrency <n>': 'Requests at once. Default: 4.',
    '--timeout <s>': 'Seconds for one answer. Default: 300.',
    '--temperature <n>': 'A number, or default: that of the model. Default: 0.',
    '--reference <url>': 'An endpoint whose answers decide when a call is right. Default: the suite.',
    '--reference-model <name>': 'Its model. Default: the same name.',
    '--reference-key <key>': 'Its key, or DRAGOMAN_REFERENCE_KEY. Default: none.',
    '--compare':
      'Also test it through Dragoman: healing, and emulating. Says what it would mend, and its cost.',
    '--json': 'Print the report as JSON. Default: text.',
    '--html <file>': 'Write the report as a page. Default: none.',
    '--badge <file>': 'Write a badge, as SVG. Default: none.',
    '--save <folder>': 'Keep every exchange there, without keys. A run that was stopped goes on.',
    '--replay <folder>':
      'Judge the exchanges of a folder again, with its own model, seed and suite. Nothing is sent. An address or a model that is given must be that of the folder.',
  },
  completes: { api: APIS, suite: ['quick', 'full'], dialect: dialectChoices },
  sections: {
    'GGUF files': ggufWords('verify'),
    JSON: `--json prints
  {"endpoint": {"url", "api", "model", "engine"?, "gateway"?}, "date",
   "version", "suite", "seed", "runs",
   "requests": {"done", "planned", "retried"?}, "stopped"?,
   "unjudged"?, "lost"?,
   "scores": {"success_rate", "schema_accuracy", "trigger_precision",
              "trigger_recall", "trigger_f1", "trigger_against", "counts"},
   "latency": {"first_byte", "per_token", "silence", "growth"},
   "tokens"?: {"input", "output", "of"},
   "checks": [{"id", "title", "required", "status", "passed", "of",
               "reason"?, "advice"?, "examples":
               [{"probe", "message", "request", "response",
                 "answer"?: {"text"?, "reasoning"?, "calls"?, "finish"?},
                 "reading"?}]}],
   "compared"?}
The status is pass, fail, warn or skipped. Rates are {"value", "low", "high",
"of"}: low and high are the 95 % interval.`,
    Keys: `DRAGOMAN_VERIFY_KEY, DRAGOMAN_REFERENCE_KEY in the environment. Keys and
passwords of eight characters or more are hidden in reports and in exchanges
that are kept. http://name:password@host/v1 is sent as HTTP Basic.`,
    'Exit codes': `0    all required checks pass
1    a required check fails or was not judged, or the run is not finished
2    the command was called wrongly
3    the suite or the saved exchanges cannot be read, or a report not written
4    the endpoint cannot be reached, refuses or fails on every request, or
     stopped answering; the report has what was done
130  stopped by Ctrl-C; the report has what was done`,
  },
  run: (args: Arguments) => runVerify(args, APIS),
};
