import { holdClients } from './hold.js';
import { openAiChat } from './openai-chat.js';

holdClients(...openAiChat);
