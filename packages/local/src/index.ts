export type {
  HeldGrammar,
  LocalEvent,
  LocalModel,
  LocalRequest,
  LocalUsage,
  PromptPiece,
  Sampling,
} from './local-model.js';
