export {
  answerPieces,
  formOf,
  type PromptForm,
  type PromptOptions,
  piecesOfMessages,
  piecesOfPrompt,
  promptPieces,
  renderingOf,
} from './prompt.js';
