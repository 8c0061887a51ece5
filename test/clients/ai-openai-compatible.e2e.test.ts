import { aiOpenAiCompatible } from './ai-providers.js';
import { holdClients } from './hold.js';

holdClients(...aiOpenAiCompatible);
