import { aiOpenAiChat, aiOpenAiResponses, aiOpenAiResponsesUnstored } from './ai-providers.js';
import { holdClients } from './hold.js';

holdClients(...aiOpenAiChat, ...aiOpenAiResponses, ...aiOpenAiResponsesUnstored);
