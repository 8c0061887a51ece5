// @dragoman/convert: converts transcripts from one form to another, with a report of what was lost.

export * from './forms/codes.js';
export * from './forms/convert.js';
export {
  type Form,
  type Note,
  type ReadTranscript,
  type Row,
  RowError,
  type Transcript,
  type WrittenRow,
} from './forms/form.js';
export * from './forms/forms.js';
export { type NoteCount, Report, type ReportData } from './forms/report.js';
export { type QuickWay, quickWays, withoutQuickWays } from './quick/index.js';
export { parseJson, writeJson } from './quick/plain-json.js';
export * from './score/index.js';
export {
  type MaskKind,
  maskKinds,
  type TextTokenizer,
  type TokenPiece,
  type Trained,
  type TrainingChoice,
  type TrainingOptions,
} from './train/training.js';
