import { anthropic } from './anthropic.js';
import { holdClients } from './hold.js';

holdClients(...anthropic);
