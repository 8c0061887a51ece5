// @dragoman/core/convert: transcripts from one form to another, with a report of what was lost.

export {
  type LossCode,
  lossMeanings,
  meaningOfCode,
  type NoteCode,
  type RowIssueCode,
  type RowRepairCode,
  rowIssueMeanings,
  rowRepairMeanings,
} from './codes.js';
export { type Convert, type Converted, type ConvertOptions, createConvert } from './convert.js';
export { type ConvertedLine, type ConvertLine, createConvertLine, parseRow } from './convert-line.js';
export {
  type Form,
  type Note,
  type Reading,
  type Row,
  RowError,
  type Transcript,
  type Writing,
} from './form.js';
export {
  type DialectForm,
  type FormOptions,
  findForm,
  formNames,
  forms,
  type TextFormOptions,
} from './forms.js';
export { parseJson, writeJson } from './plain-json.js';
export { type NoteCount, Report, type ReportData } from './report.js';
