import { holdClients } from './hold.js';
import { openAiResponses } from './openai-responses.js';

holdClients(...openAiResponses);
