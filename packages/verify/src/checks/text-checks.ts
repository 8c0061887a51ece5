// Checks of what must not stand in the text: calls and reasoning.

import { type Check, fail, PASS } from '../check.js';
import { toolsOf } from '../turn.js';
import { parserAdvice } from './tool-checks.js';

const callLeak: Check = {
  id: 'call-leak',
  title: 'leaves no call in the text',
  required: true,
  sends: 'Nothing of its own: it looks at every answer with tools.',
  expects:
    'No call in the text, in the spelling of any of the dialects, no marker of one either, and none in the reasoning of an empty answer.',
  why: 'A call in the text is not run: the user sees markup, and the agent stops.',
  reports: ['vllm-project/vllm#40911', 'NVIDIA/NemoClaw#2731'],
  advice: {
    any: 'The parser of the dialect that leaks must be switched on. Dragoman in front of the endpoint reads such calls (docs/bridge.md).',
    vllm: parserAdvice.vllm,
    sglang: parserAdvice.sglang,
    'llama.cpp': parserAdvice['llama.cpp'],
    ollama:
      'Take the model from the library of Ollama, whose template and parser fit; an imported GGUF has neither.',
    'lm-studio': parserAdvice['lm-studio'],
  },
  judgeTurn({ failure, leak, callMarker, question, calls, text, reasoning }) {
    if (failure !== undefined || question?.toolChoice === 'none' || leak?.stripped) return undefined;
    if (leak) {
      const names = [...new Set(leak.names)].join(', ');
      return fail(`A call of ${names} stands in the ${leak.place}, in the dialect ${leak.dialect.name}.`);
    }
    if (callMarker !== undefined && question && toolsOf(question).length > 0)
      return fail(`The marker ${callMarker} of a call stands in the text.`);
    return calls.length > 0 || text !== '' || reasoning !== '' ? PASS : undefined;
  },
};

const reasoningLeak: Check = {
  id: 'reasoning-leak',
  title: 'leaves no reasoning in the text',
  required: true,
  sends: 'Nothing of its own: it looks at every answer.',
  expects: 'No tag of reasoning in the text, of any dialect.',
  why: 'Users read thoughts as answers, and structured output no longer parses.',
  reports: ['BerriAI/litellm#28691'],
  advice: {
    any: 'The parser of reasoning must be switched on, and be the one of this model.',
    vllm: 'Start vLLM with --reasoning-parser NAME of this model.',
    sglang: 'Start SGLang with --reasoning-parser NAME of this model.',
    'llama.cpp': 'Start llama-server with --reasoning-format deepseek (or auto), and --jinja.',
    ollama: 'Update Ollama and the model: thinking is split off for models with the capability "thinking".',
    'lm-studio': 'Switch on reasoning_content in the settings of the Developer tab.',
  },
  judgeTurn({ failure, thinkTag, text, leak }) {
    if (failure !== undefined || text === '') return undefined;
    // Inside a call that leaked it is a part of the arguments.
    const isInCall = leak?.place === 'text' && !text.trimStart().startsWith(thinkTag ?? '');
    return thinkTag === undefined || isInCall ? PASS : fail(`The tag ${thinkTag} stands in the text.`);
  },
};

export const textChecks: readonly Check[] = [callLeak, reasoningLeak];
