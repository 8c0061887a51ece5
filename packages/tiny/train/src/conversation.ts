// Makes a conversation that ends with what the model should write: one call, two, a question back, or plain text.

import { everydayTool } from './everyday-tools.js';
import { genericTool } from './generic-tools.js';
import { MORE_TALK, type Wordings, wordings } from './more-wordings.js';
import { Random } from './random.js';
import {
  type Arguments,
  type AskedTool,
  type ChatMessage,
  ordered,
  type ToolDefinition,
  type Wish,
  wordingsFor,
} from './requests.js';
import { capital, type Language, Values } from './values.js';
import { listOf, type Split } from './word-lists.js';

/** `one`, `two`: calls. `none`: no tool does it. `ask`: a value is missing. `after`: the results are there. */
export type Ending = 'one' | 'two' | 'none' | 'ask' | 'talk' | 'after';

export interface ExpectedCall {
  name: string;
  input: Arguments;
}

export interface Sample {
  split: Split;
  language: Language;
  /** `everyday`: asked in people's own words; `generic`: made of phrases. */
  source: 'everyday' | 'generic';
  ending: Ending;
  tools: ToolDefinition[];
  /** What comes before the answer. */
  messages: ChatMessage[];
  answer: ChatMessage;
  expected: ExpectedCall[];
}

export interface SampleOptions {
  split: Split;
  /** Only these endings; else any. */
  endings?: readonly Ending[];
  language?: Language;
}

/** The same seed and options give the same sample. */
export function makeSample(seed: number, options: SampleOptions): Sample {
  for (let attempt = 0; ; attempt++) {
    const made = new Maker(new Random(seed + attempt * 7919), options).make();
    if (made && (!options.endings || options.endings.includes(made.ending))) return made;
  }
}

const bars = (text: string): string[] => text.split('|');
const OPENINGS = {
  en: wordings(
    'verbs',
    'opening',
    'en',
    bars(
      "|||||Please |Can you |Could you |I want to |I need you to |Hey, |Would you |Let's |Hi! Please |Now |I'd like you to |Can you please |Help me |Quickly |OK, |Hello, can you |I have to |We need to |My boss wants me to |Would you mind: |Next, |First, |Hi, could you |pls |It is time to |Try to |You should |I was told to |Be so kind and ",
    ),
    bars(
      'Go ahead and |Do me a favour and |It would be great if you could |Your next job: |Time to |Kindly |I would be glad if you could |Feel free to |',
    ),
  ),
  zh: wordings(
    'verbs',
    'opening',
    'zh',
    bars('||请|帮我|请帮我|麻烦你|我想|我要|你能|能不能|可以帮我|现在|快|需要|劳驾|请你'),
    bars('拜托|烦请|给我|替我'),
  ),
};
const BETWEEN = {
  en: wordings(
    'verbs',
    'between',
    'en',
    bars(' and also | Then | Also |, and | and then | Additionally, | After that, | Plus, '),
    bars('; after that | Oh, and | Once done, '),
  ),
  zh: wordings(
    'verbs',
    'between',
    'zh',
    bars('，然后|，还有|。再|，另外|，并且|。接着'),
    bars('，完了再|，顺带'),
  ),
};
const TALK: Readonly<Record<Language, readonly [string, string][]>> = {
  en: [
    ['Hello', 'Hello! How can I help?'],
    ['Hi', 'Hello! How can I help?'],
    ['Hey there', 'Hello! How can I help?'],
    ['Good morning', 'Good morning! What can I do for you?'],
    ['Good evening', 'Good evening! What can I do for you?'],
    ['Thanks', 'You are welcome.'],
    ['Thank you', 'You are welcome.'],
    ['Thanks a lot', 'You are welcome.'],
    ['Thank you very much', 'You are welcome.'],
    ['Bye', 'Goodbye!'],
    ['See you later', 'Goodbye!'],
    ['Who are you', 'I am a tiny model that calls tools.'],
    ['What are you', 'I am a tiny model that calls tools.'],
    ['What is your name', 'I am a tiny model that calls tools.'],
    ['What can you do', 'I am a tiny model that calls tools.'],
    ['Are you a robot', 'I am a tiny model that calls tools.'],
    ['How are you', 'I am fine, thank you.'],
    ['Tell me a joke', 'I know tools better than jokes.'],
    ['Do you know a joke', 'I know tools better than jokes.'],
    ['ok', 'Good.'],
    ['Great', 'Good.'],
    ['Perfect', 'Good.'],
    ['yes', 'Good.'],
    ['no', 'All right.'],
    ['Never mind', 'All right.'],
  ],
  zh: [
    ['你好', '你好！有什么可以帮你？'],
    ['您好', '你好！有什么可以帮你？'],
    ['早上好', '早上好！有什么可以帮你？'],
    ['谢谢', '不客气。'],
    ['多谢', '不客气。'],
    ['再见', '再见！'],
    ['拜拜', '再见！'],
    ['你是谁', '我是一个会调用工具的小模型。'],
    ['你叫什么名字', '我是一个会调用工具的小模型。'],
    ['你能做什么', '我是一个会调用工具的小模型。'],
    ['讲个笑话', '我更懂工具，不懂笑话。'],
    ['好的', '好。'],
    ['不用了', '好的。'],
  ],
};
const MORE: Readonly<Record<Language, readonly [string, string][]>> = {
  en: moreTalk('en'),
  zh: moreTalk('zh'),
};
function moreTalk(language: Language): [string, string][] {
  return Object.entries(MORE_TALK[language]).flatMap(([answer, said]) =>
    said.map((one): [string, string] => [one, answer]),
  );
}

const ANSWERS = {
  en: {
    none: 'I have no tool for that.',
    ask: 'Please tell me: ',
    failed: 'That did not work: ',
    done: 'Here is the answer: ',
    end: '.',
  },
  zh: { none: '没有合适的工具。', ask: '请告诉我：', failed: '没有成功：', done: '结果是：', end: '。' },
};
const KEYS = listOf(
  'temperature, status, price, total, name, count, date, result, value, condition, message',
);
const SYSTEMS = [
  'You are a helpful assistant.',
  'You are an assistant. Be brief.',
  'Answer in English.',
  'You are a helpful assistant with access to tools.',
  'Use the tools when they help. Otherwise answer directly.',
  '你是一个有用的助手。',
];

class Maker {
  readonly #values: Values;
  readonly #taken = new Set<string>();
  readonly #tools: AskedTool[] = [];
  readonly #messages: ChatMessage[] = [];
  readonly #everyday: boolean;
  #ids = 0;
  #ending: Ending = 'talk';
  #expected: ExpectedCall[] = [];

  constructor(
    readonly random: Random,
    readonly options: SampleOptions,
  ) {
    const language = options.language ?? (random.chance(0.25) ? 'zh' : 'en');
    this.#values = new Values(random, options.split, language);
    // Everyday tools are all known from the training: they cannot show unseen tools.
    this.#everyday = options.split !== 'tools' && random.chance(0.45);
  }

  make(): Sample | undefined {
    const { random } = this;
    const { split, language } = this.#values;
    const training = split === 'train';
    const many = training && random.chance(0.03);
    const count = many
      ? random.between(8, 22)
      : random.chance(0.08)
        ? random.between(6, 14)
        : random.pick([1, 1, 2, 2, 3, 3, 4, 4, 5]);
    for (let at = 0; at < count; at++) this.#tools.push(this.#tool());
    if (random.chance(0.02)) this.#tools.length = 0;
    if (training && random.chance(many ? 0.6 : 0.1)) for (const tool of this.#tools) this.#explain(tool);
    if (random.chance(0.3)) this.#messages.push({ role: 'system', content: this.#system() });
    const turns = random.chance(0.85) ? 1 : training ? random.between(2, 4) : 2;
    for (let turn = 1; turn <= turns; turn++) if (!this.#turn(turn === turns)) return undefined;
    const answer = this.#messages.pop();
    if (answer?.role !== 'assistant') return undefined;
    return {
      split,
      language,
      source: this.#everyday ? 'everyday' : 'generic',
      ending: this.#ending,
      tools: this.#tools.map(({ definition }) => definition),
      messages: this.#messages,
      answer,
      expected: this.#expected,
    };
  }

  #tool(everyday = this.#everyday ? 0.85 : 0.1): AskedTool {
    const unseen = this.options.split === 'tools';
    return this.random.chance(unseen ? 0 : everyday)
      ? everydayTool(this.#values, this.#taken)
      : genericTool(this.#values, this.#taken);
  }

  /** Makes the descriptions long, as those of real tools are. */
  #explain({ definition }: AskedTool): void {
    const { random } = this;
    const values = this.#values;
    const sentences = (most: number) =>
      Array.from({ length: random.between(1, most) }, () => `${capital(values.fill(3, 12))}.`).join(' ');
    definition.description = `${definition.description} ${sentences(4)}`.trim();
    for (const property of Object.values(definition.parameters.properties))
      if (random.chance(0.5)) property.description = `${property.description ?? ''} ${sentences(1)}`.trim();
  }

  #system(): string {
    const { random } = this;
    if (this.options.split === 'train' && random.chance(0.1))
      return Array.from(
        { length: random.between(4, 16) },
        () => `${capital(this.#values.fill(4, 14))}.`,
      ).join(' ');
    if (random.chance(0.5)) return random.pick(SYSTEMS);
    const values = this.#values;
    return random.chance(0.5)
      ? `You work for ${values.name()}.`
      : Array.from({ length: random.between(1, 4) }, () => `${capital(values.fill(3, 9))}.`).join(' ');
  }

  /** Whether the turn could be made. */
  #turn(last: boolean): boolean {
    const { random } = this;
    const share = this.#tools.length === 0 ? random.next() * 0.15 : random.next();
    if (share < 0.07) return this.#talk();
    if (share < 0.15) return this.#none();
    if (share < 0.21) return this.#ask();
    return this.#calls(last, share > 0.8);
  }

  #talk(): boolean {
    const { random } = this;
    const { language, split } = this.#values;
    const more = split === 'train' && random.chance(0.6) ? random.pick(MORE[language]) : undefined;
    const [said, answer] = more ?? random.pick(TALK[language]);
    this.#say(said + random.pick(['', '.', '!', '?']));
    return this.#end('talk', answer);
  }

  #none(): boolean {
    const { language } = this.#values;
    const tool = this.#tool();
    const words = (text: string) =>
      text
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter((word) => word.length > 2);
    const asked = new Set(words(`${tool.subject} ${tool.definition.name.replaceAll('_', ' ')}`));
    const alike = this.#tools.some((other) =>
      words(`${other.subject} ${other.definition.name.replaceAll('_', ' ')}`).some((word) => asked.has(word)),
    );
    if (alike) return false;
    this.#say(this.#sentence(tool.wish()));
    return this.#end('none', ANSWERS[language].none);
  }

  #ask(): boolean {
    const { language } = this.#values;
    const tool = this.random.pick(this.#tools);
    if (tool.required.length === 0 || this.#everyday) return false;
    const wish = tool.wish({ without: 'required' });
    if (tool.required.some((name) => Object.hasOwn(wish.input, name))) return false;
    this.#say(this.#sentence(wish));
    return this.#end('ask', `${ANSWERS[language].ask}${tool.required.join(', ')}${ANSWERS[language].end}`);
  }

  #calls(last: boolean, two: boolean): boolean {
    const { random } = this;
    const tool = random.pick(this.#tools);
    const wish = tool.wish();
    if (wish.vague && this.#tools.some((other) => other !== tool && other.subject === tool.subject))
      return false;
    const calls: [AskedTool, Arguments][] = [[tool, wish.input]];
    let text = this.#sentence(wish);
    if (wish.second) calls.push([tool, wish.second]);
    else if (two) {
      const other = random.chance(0.3) ? tool : random.pick(this.#tools);
      const next = other.wish({ fresh: true });
      if (next.second || next.vague) return false;
      calls.push([other, next.input]);
      text = this.#both(text, next);
    }
    const written = calls.map(([{ definition }, input]) => ({
      name: definition.name,
      input: ordered(definition, input),
    }));
    const [first, second] = written;
    if (second && JSON.stringify(first) === JSON.stringify(second)) return false;
    this.#say(text);
    const toolCalls = written.map(({ name, input }) => ({ id: `call_${++this.#ids}`, name, input }));
    this.#messages.push({
      role: 'assistant',
      content: '',
      tool_calls: toolCalls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      })),
    });
    if (last && random.chance(0.78)) {
      this.#ending = second ? 'two' : 'one';
      this.#expected = written;
      return true;
    }
    const results = toolCalls.map(() => this.#result());
    toolCalls.forEach(({ id }, at) => {
      this.#messages.push({ role: 'tool', tool_call_id: id, content: results[at]?.content ?? '' });
    });
    return this.#end('after', this.#conclusion(results));
  }

  #say(content: string): void {
    this.#messages.push({ role: 'user', content });
  }

  #end(ending: Ending, content: string): true {
    this.#messages.push({ role: 'assistant', content });
    this.#ending = ending;
    return true;
  }

  /** Writes the wish as a sentence of its own. */
  #sentence(wish: Wish): string {
    const { random, options } = this;
    const values = this.#values;
    const { language } = values;
    const training = options.split === 'train';
    const noise = training && random.chance(wish.whole ? 0.12 : 0.28);
    const gap =
      language === 'zh' ? random.pick(['，', '', '：', '。']) : random.pick([' ', ' ', ', ', ': ', '. ']);
    let text = noise
      ? `${values.fill(1, 6)}${gap}${wish.text}`
      : wish.whole
        ? wish.text
        : this.#wording(OPENINGS[language]) + wish.text;
    if (training && random.chance(0.1))
      text += `${language === 'zh' ? '，' : random.pick([', ', '. ', ' '])}${values.fill(1, 4)}`;
    if (language === 'zh')
      return /[。？！?.]$/.test(text) ? text : text + random.pick(['。', '', '', '！', '，谢谢']);
    if (!wish.whole || random.chance(0.7)) text = capital(text);
    if (training && random.chance(0.1)) text = text.charAt(0).toLowerCase() + text.slice(1);
    if (/[.?!]$/.test(text)) return training && random.chance(0.25) ? text.slice(0, -1) : text;
    if (wish.whole) return text + random.pick(['', '', '?', '.', ' please']);
    const asks = /^(?:Can|Could|Would|Hello, can|Hi, could)/.test(text);
    return (
      text +
      random.pick(asks ? ['?', '?', '', ' please?'] : ['.', '.', '', '!', ', please.', ' please', ' thanks'])
    );
  }

  /** What stands between two requests; in training often any words. */
  #between(): string {
    const { random, options } = this;
    const values = this.#values;
    const { language } = values;
    if (options.split === 'train' && random.chance(0.35))
      return language === 'zh'
        ? `${random.pick(['，', '。', '；', ''])}${values.fill(1, 2)}`
        : `${random.pick(['; ', ', ', '. ', ' '])}${random.chance(0.5) ? capital(values.fill(1, 3)) : values.fill(1, 3)}${random.pick(['', ',', ':'])} `;
    return this.#wording(BETWEEN[language]);
  }

  /** Draws one; in training the first ones, plain and frequent, as often as all the others. */
  #wording(all: Wordings): string {
    const { random, options } = this;
    return options.split === 'train' && random.chance(0.5)
      ? random.pick(all.seen)
      : random.pick(wordingsFor(all, options.split));
  }

  #both(first: string, wish: Wish): string {
    const { language } = this.#values;
    const between = this.#between();
    const open = /^[A-Z ]/.test(between) && between.startsWith(' ') && /[A-Z]/.test(between);
    const head = open ? `${first.replace(/[.!?]?$/, '')}.` : first.replace(/[.!?。！？]$/, '');
    const tail = wish.text.replace(/[.!?。！？]$/, '');
    const joined =
      language === 'en' && /^[A-Z][a-z]/.test(tail) && !open
        ? tail.charAt(0).toLowerCase() + tail.slice(1)
        : tail;
    return (
      head +
      between +
      (between.endsWith(' ') || language === 'zh' ? '' : ' ') +
      joined +
      (language === 'zh' ? '。' : '.')
    );
  }

  #result(): { content: string; said: string; failed?: boolean } {
    const { random } = this;
    const values = this.#values;
    const share = random.next();
    const value = () =>
      random.pick([
        () => values.words(1, 2),
        () => values.integer(999),
        () => values.number(100),
        () => values.place(),
        () => values.date(),
        () => values.identifier(),
        () => random.chance(0.5),
      ])();
    if (share < 0.5) {
      const entries = Array.from({ length: random.between(1, 3) }, () => [
        random.chance(0.7) ? random.pick(KEYS) : `${values.plainWord()}_${values.plainWord()}`,
        value(),
      ]);
      const object = Object.fromEntries(entries) as Record<string, unknown>;
      const json = JSON.stringify(object);
      return {
        content: random.chance(0.5) ? json : json.replaceAll('":', '": ').replaceAll(',"', ', "'),
        said: Object.entries(object)
          .map(([key, one]) => `${key.replaceAll('_', ' ')} ${one}`)
          .join(', '),
      };
    }
    if (share < 0.62) {
      const list = Array.from({ length: random.between(2, 4) }, () => values.words(1, 2));
      return { content: JSON.stringify(list), said: list.join(', ') };
    }
    if (share < 0.74) {
      const why = values.words(2, 5);
      return { content: `Error: ${why}`, said: why, failed: true };
    }
    const text = share < 0.82 ? String(value()) : capital(values.words(2, 7));
    return { content: text, said: text };
  }

  #conclusion(results: readonly { said: string; failed?: boolean }[]): string {
    const words = ANSWERS[this.#values.language];
    const failed = results.find((result) => result.failed);
    if (failed) return words.failed + failed.said + words.end;
    return words.done + results.map(({ said }) => said).join('; ') + words.end;
  }
}
