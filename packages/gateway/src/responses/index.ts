export {
  type ClientResponses,
  createResponses,
  type ExpandedRequest,
  type Responses,
  type ResponsesOptions,
} from './create-responses.js';
