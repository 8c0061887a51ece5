// @dragoman/convert: converts transcripts from one form to another, with a report of what was lost.

export {
  type LossCode,
  lossMeanings,
  meaningOfCode,
  type NoteCode,
  type RowIssueCode,
  type RowRepairCode,
  rowIssueMeanings,
  rowRepairMeanings,
} from './forms/codes.js';
export {
  type Convert,
  type Converted,
  type ConvertedLine,
  type ConvertLine,
  type ConvertOptions,
  createConvert,
  createConvertLine,
  parseRow,
} from './forms/convert.js';
export {
  type Form,
  type Note,
  type ReadTranscript,
  type Row,
  RowError,
  type Transcript,
  type WrittenRow,
} from './forms/form.js';
export {
  type DialectForm,
  type FormChoice,
  type FormOptions,
  findForm,
  formNames,
  formOf,
  forms,
  type TextFormOptions,
} from './forms/forms.js';
export { type NoteCount, Report, type ReportData } from './forms/report.js';
export { type QuickWay, quickWays, withoutQuickWays } from './quick/index.js';
export { parseJson, writeJson } from './quick/plain-json.js';
