import { aiOpenAiChat, aiOpenAiResponses } from './ai-providers.js';
import { holdClients } from './hold.js';

holdClients(...aiOpenAiChat, ...aiOpenAiResponses);
