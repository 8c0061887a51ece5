// @dragoman/core/convert: transcripts from one form to another, with a report of what was lost.

export type { Convert, Converted, ConvertOptions } from './convert.js';
export {
  type Form,
  type LossCode,
  type Note,
  type Reading,
  type Row,
  RowError,
  type Transcript,
  type Writing,
} from './form.js';
