// The AI SDK's own shapes (provider specification v3, from `ai` 6 on): its prompts, parts and results.

export { decodePart } from './decode-part.js';
export { encodeParts, encodePromptMessage, encodeResult } from './encode-parts.js';
