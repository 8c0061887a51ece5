// The pairs of dialects where one parser reads calls of the other dialect, and why that is right. All other pairs read
// no calls of each other. test/overlaps.laws.test.ts checks both directions: a pair that is not listed, and a listed pair
// that no longer overlaps.

export interface Overlap {
  /** The dialect of the output. */
  dialect: string;
  /** The dialects whose parsers find calls in it. */
  readBy: readonly string[];
  why: string;
}

const BARE = ['xlam', 'bare-json', 'tool-calls-json'];
const JSON_ON_A_LINE =
  'The JSON of the call begins a line, and there JSON alone is a call: models write the tags they know around it.';
const DSML = ['deepseek-v3.2', 'deepseek-v4', 'deepseek-v4.1'];
const SAME_DSML =
  'The same tags in another block: each generation reads what the others leave behind in a model.';
const PLAIN_INVOKE =
  '<invoke> and <parameter> without the namespace of the dialect are read as its own: models drop or mix it.';
const A_TOOL_NAMED_SO = 'Where a tool is called tool_call, its tag is <tool_call>.';
const SAME_TOOL_CALL = 'The same <tool_call> with the same JSON in it.';
const SAME_TOOL_CALLS = 'The same <tool_calls>; a list and single objects are both read in it.';
const NO_ARGUMENTS = 'A call without arguments: <function=f></function> is the same in both.';

export const overlaps: readonly Overlap[] = [
  // Generations of one vendor.
  {
    dialect: 'glm-4.5',
    readBy: ['glm-4.7', 'laguna'],
    why: 'The same tags, with line breaks between them or without.',
  },
  {
    dialect: 'glm-4.7',
    readBy: ['glm-4.5', 'laguna'],
    why: 'The same tags, with line breaks between them or without.',
  },
  { dialect: 'laguna', readBy: ['glm-4.5', 'glm-4.7'], why: 'Laguna writes calls as GLM does.' },
  { dialect: 'deepseek-v3.1', readBy: ['deepseek-v3'], why: 'The same tokens; the fence may be missing.' },
  { dialect: 'deepseek-v3.2', readBy: ['deepseek-v4', 'deepseek-v4.1'], why: SAME_DSML },
  { dialect: 'deepseek-v4', readBy: ['deepseek-v3.2', 'deepseek-v4.1'], why: SAME_DSML },
  { dialect: 'deepseek-v4.1', readBy: ['deepseek-v3.2', 'deepseek-v4'], why: SAME_DSML },
  {
    dialect: 'mistral-v3',
    readBy: ['mistral'],
    why: 'The same token: a newer model may still write the list.',
  },
  {
    dialect: 'pythonic',
    readBy: ['llama4-pythonic', 'lfm2'],
    why: 'Llama 4 leaves out its tokens around the list, and servers those of LFM2.',
  },

  // The same marker.
  { dialect: 'hermes', readBy: ['ernie-4.5', 'granite', 'laguna'], why: SAME_TOOL_CALL },
  { dialect: 'ernie-4.5', readBy: ['hermes', 'granite', 'laguna'], why: SAME_TOOL_CALL },
  { dialect: 'jamba', readBy: ['apriel', 'hunyuan-a13b', 'minimax-m1'], why: SAME_TOOL_CALLS },
  { dialect: 'apriel', readBy: ['hunyuan-a13b', 'jamba', 'minimax-m1'], why: SAME_TOOL_CALLS },
  { dialect: 'hunyuan-a13b', readBy: ['apriel', 'jamba', 'minimax-m1'], why: SAME_TOOL_CALLS },
  { dialect: 'minimax-m1', readBy: ['apriel', 'jamba', 'hunyuan-a13b'], why: SAME_TOOL_CALLS },
  { dialect: 'mistral-v3', readBy: ['xlam'], why: 'Engines read the list of xLAM behind [TOOL_CALLS], too.' },

  // The same tags in another block, or in none.
  {
    dialect: 'qwen3-coder',
    readBy: ['seed-oss'],
    why: 'The same tags in another block, which may be missing.',
  },
  {
    dialect: 'seed-oss',
    readBy: ['qwen3-coder'],
    why: 'The same tags in another block, which may be missing.',
  },
  {
    dialect: 'functionary-v3.1',
    readBy: ['qwen3-coder', 'seed-oss'],
    why: 'The same <function=f>, with JSON in it instead of tags: models of all three write that.',
  },
  { dialect: 'qwen3-coder', readBy: ['functionary-v3.1'], why: NO_ARGUMENTS },
  { dialect: 'seed-oss', readBy: ['functionary-v3.1'], why: NO_ARGUMENTS },
  { dialect: 'minimax-m2', readBy: [...DSML, 'anthropic-xml'], why: PLAIN_INVOKE },
  { dialect: 'dots', readBy: [...DSML, 'anthropic-xml', 'minimax-m2'], why: PLAIN_INVOKE },
  { dialect: 'anthropic-xml', readBy: [...DSML, 'minimax-m2'], why: PLAIN_INVOKE },

  // JSON that nothing announces.
  { dialect: 'alkaid', readBy: ['xlam'], why: JSON_ON_A_LINE },
  { dialect: 'hermes', readBy: BARE, why: JSON_ON_A_LINE },
  { dialect: 'ernie-4.5', readBy: BARE, why: JSON_ON_A_LINE },
  { dialect: 'longcat', readBy: BARE, why: JSON_ON_A_LINE },
  { dialect: 'internlm2', readBy: BARE, why: JSON_ON_A_LINE },
  { dialect: 'gigachat3', readBy: BARE, why: JSON_ON_A_LINE },
  { dialect: 'minimax-m1', readBy: BARE, why: JSON_ON_A_LINE },
  { dialect: 'fenced-json', readBy: BARE, why: 'All that read bare JSON read it in a fence, too.' },
  { dialect: 'command-r', readBy: BARE, why: 'All that read bare JSON read it in a fence, too.' },
  { dialect: 'xlam', readBy: ['bare-json', 'tool-calls-json'], why: 'JSON alone, as a list and as objects.' },
  { dialect: 'bare-json', readBy: ['xlam', 'tool-calls-json'], why: 'JSON alone, as a list and as objects.' },
  {
    dialect: 'xlam',
    readBy: ['llama3-json'],
    why: 'Llama leaves out its token where an answer begins with a call.',
  },
  {
    dialect: 'bare-json',
    readBy: ['llama3-json'],
    why: 'Llama leaves out its token where an answer begins with a call.',
  },

  // A tool whose name is a tag.
  { dialect: 'hermes', readBy: ['tool-tags'], why: A_TOOL_NAMED_SO },
  { dialect: 'ernie-4.5', readBy: ['tool-tags'], why: A_TOOL_NAMED_SO },
  { dialect: 'minimax-m3', readBy: ['tool-tags'], why: A_TOOL_NAMED_SO },
];
