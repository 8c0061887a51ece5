// The state of a chat: its messages, its model and its dialect.

import type { Dialect, Message, Registry } from '@dragoman/core';
import { type AgentEvent, type AgentResult, type AgentTool, runAgent } from '@dragoman/core/agent';
import { createAsk, dialectOfModel } from '@dragoman/core/bridge';
import { openaiChat } from '@dragoman/core/wire';
import type { Reached } from './reach-model.js';
import { TurnFeed } from './turn-feed.js';
import type { TurnView } from './turn-view.js';

export interface SessionOptions {
  reached: Reached;
  tools: AgentTool[];
  dialect: Dialect | 'auto';
  /** Where dialects are found by name. */
  dialects: Registry;
  thinking?: boolean | undefined;
  system?: string | undefined;
  maxTurns?: number | undefined;
}

export interface FinishedTurn {
  result: AgentResult;
  feed: TurnFeed;
}

/** The dialect that the bridge teaches a model it does not know. */
const TAUGHT = 'alkaid';

export class ChatSession {
  dialect: Dialect | 'auto';
  dialects: Registry;
  model: string;
  /** The raw text of the last answer, or of the last attempt that had issues. */
  lastText = '';
  messages: Message[] = [];
  constructor(readonly options: SessionOptions) {
    this.dialect = options.dialect;
    this.dialects = options.dialects;
    this.model = options.reached.model;
    this.clear();
  }

  /** Removes all messages but the system message. */
  clear(): void {
    const { system } = this.options;
    this.messages = system ? [{ role: 'system', parts: [{ type: 'text', text: system }] }] : [];
  }

  /** The name of the current dialect, and the reason for it. */
  get spoken(): { name: string; why: string } {
    const local = this.options.reached.local?.of(this.model, this.dialect);
    if (local) return { name: local.dialect.name, why: local.why };
    if (this.dialect !== 'auto') return { name: this.dialect.name, why: 'as you chose' };
    const spoken = this.options.reached.speak?.(this.model, 'auto')?.dialect;
    if (typeof spoken === 'object') return { name: spoken.name, why: "by the model's name" };
    const own = dialectOfModel(this.model, this.dialects);
    if (own) return { name: own.name, why: "by the model's name" };
    return { name: TAUGHT, why: 'taught by a prompt' };
  }

  /**
   * Asks the model and runs tools until it is done. An error of the model is in the result. A question that got no
   * answer is removed from the messages.
   */
  async ask(
    question: string,
    view: TurnView,
    signal: AbortSignal,
    onEvent: (event: AgentEvent) => Promise<void> | void = () => {},
  ): Promise<FinishedTurn> {
    const { reached, tools, thinking, maxTurns } = this.options;
    const feed = new TurnFeed(view, reached.mode === 'emulate');
    const before = this.messages;
    const asked: Message[] = [...before, { role: 'user', parts: [{ type: 'text', text: question }] }];
    const local = reached.local?.of(this.model, this.dialect);
    const { upstream, ...spoken } = (local && { upstream: local.upstream, dialect: local.dialect }) ??
      reached.speak?.(this.model, this.dialect) ?? { upstream: reached.upstream, dialect: this.dialect };
    const ask = createAsk({
      upstream: feed.watch(upstream),
      mode: reached.mode,
      ...spoken,
      dialects: this.dialects,
      onEvent: feed.onBridge,
    });
    const run = runAgent({
      model: { ask, name: this.model },
      tools,
      conversation: { messages: asked, tools: [], toolChoice: 'auto' },
      settings: thinking === undefined ? {} : { thinking },
      delivery: reached.mode === 'emulate' ? 'whole' : 'stream',
      signal,
      ...(maxTurns !== undefined && { maxSteps: maxTurns }),
    });
    let result: AgentResult | undefined;
    try {
      for await (const event of run) {
        await onEvent(event);
        feed.onAgent(event);
        if (event.type === 'agent-end') result = event;
      }
    } catch (error) {
      if (result?.reason !== 'error') throw error;
    }
    if (!result) throw new Error('a run ended without its last event');
    this.messages = result.messages.length > asked.length ? result.messages : before;
    this.lastText = feed.faulty ?? feed.source;
    return { result, feed };
  }

  /** The conversation as a request of OpenAI's chat API, with the tools. */
  toRequest(): unknown {
    const { tools } = this.options;
    return openaiChat.encodeRequest({
      model: this.model,
      conversation: {
        messages: this.messages,
        tools: tools.map(({ name, description, parameters }) => ({
          name,
          ...(description !== undefined && { description }),
          ...(parameters !== undefined && { parameters: parameters as Record<string, never> }),
        })),
        toolChoice: 'auto',
      },
      settings: {},
      stream: false,
    });
  }
}
