import { aiAnthropic } from './ai-providers.js';
import { holdClients } from './hold.js';

holdClients(...aiAnthropic);
