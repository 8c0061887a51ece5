export {
  answerPieces,
  BEGIN,
  END,
  formOf,
  type PromptForm,
  type PromptOptions,
  piecesOfMessages,
  piecesOfPrompt,
  promptPieces,
  renderingOf,
  roleTokens,
} from './prompt.js';
