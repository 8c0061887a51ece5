export {
  type ClientResponses,
  createResponses,
  type Responses,
  type ResponsesOptions,
  type Turn,
} from './create-responses.js';
