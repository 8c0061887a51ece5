// Markup of models that stands in a text and belongs to no call: tags of reasoning, special tokens, markers of calls. What
// the request has as well may be a quote, and so may what stands behind a backtick.

import { dialects } from '@dragoman/core/internal';
import { endToken, isFrameToken, specialTokens } from './special-tokens.js';

export interface StrayMarkup {
  /** A tag of reasoning. */
  thinkTag?: string;
  /** A special token: at the end of the text, or one that frames messages anywhere. */
  specialToken?: string;
  /** A marker of a call that is no special token. */
  callMarker?: string;
  /** Words of a frame whose special tokens were taken away. */
  bareFrame?: string;
}

/** `<|start|>assistant<|channel|>final<|message|>` without its tokens, as gpt-oss goes on after its thoughts. */
const bareFrames = ['assistantfinal', 'assistantcommentary'];

/** Tags of models that no dialect is written for. */
const otherTags = [
  ...['◁think▷', '◁/think▷', '<reasoning>', '</reasoning>', '<thought>', '</thought>'],
  ...['<|begin_of_thought|>', '<|end_of_thought|>', '<unused94>thought'],
];

const thinkTags = [
  ...new Set(
    dialects.flatMap(({ traits: { reasoning } }) => (reasoning ? [reasoning.open, reasoning.close] : [])),
  ),
  ...otherTags,
]
  .map((tag) => tag.trim())
  .filter((tag) => tag.length > 3);

const CALL_WORDS = ['tool_call', 'function_call', 'TOOLCALL', 'invoke', 'arg_key', 'arg_value'];

/** Tags that no text has by chance. Those with a bar are special tokens. */
function isCallMarker(literal: string): boolean {
  if (!literal.startsWith('<') || /[|｜]/.test(literal)) return false;
  return literal.endsWith('=') || CALL_WORDS.some((word) => literal.includes(word));
}

const callMarkers = [
  ...new Set(dialects.flatMap(({ markers }) => markers.literals.filter(isCallMarker))),
].sort((a, b) => b.length - a.length);

const frameTokens = specialTokens.filter(
  (token) => isFrameToken(token) && !thinkTags.some((tag) => tag.includes(token)),
);

/** `request` is the body of the request. */
export function strayMarkup(text: string, request: string): StrayMarkup {
  const stands = (one: string) => {
    const at = text.indexOf(one);
    return at >= 0 && text.charAt(at - 1) !== '`' && !request.includes(one);
  };
  const bareFrame = bareFrames.find(stands);
  if (bareFrame !== undefined) return { bareFrame };
  if (!/[<[◁]|:/.test(text)) return {};
  const thinkTag = thinkTags.find(stands);
  const specialToken = endToken(text) ?? frameTokens.find(stands);
  const callMarker = callMarkers.find(stands);
  return {
    ...(thinkTag !== undefined && { thinkTag }),
    // A tag of reasoning may be made of special tokens.
    ...(specialToken !== undefined && thinkTag === undefined && { specialToken }),
    ...(callMarker !== undefined && { callMarker }),
  };
}

/** Whether the text is not what the model meant to say, so that another check has named its fault. */
export function isMarked({ thinkTag, specialToken, callMarker, bareFrame }: StrayMarkup): boolean {
  return [thinkTag, specialToken, callMarker, bareFrame].some((found) => found !== undefined);
}
