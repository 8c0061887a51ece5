// Special tokens of the vendors' tokenizers, as far as they are public: a text from outside must not hold one. The lists
// are from mistral-common, from the chat templates and vocabularies that llama.cpp and vLLM have, and from the
// processors of images and sound in vLLM; those of MiniMax, Granite, LFM2 and gpt-oss from tokenizers that carry their
// vocabularies; gpt-oss also has the names of openai/harmony. No tokenizer of Solar Open was found: its list is that of
// the template and of llama.cpp, and the usual tokens around a text.
//
// jamba: the special tokens in the configuration of its tokenizer. olmo3: the vendor's script that makes the tokenizer, and
// the instruct models' tokens for tools. ernie-4.5: the tokenizers in transformers, ERNIE and FastDeploy. deepseek and glm:
// tokenizers that carry their vocabularies. granite-4 (in hermes): the list of added tokens of Granite 4.0 H, without
// <schema> and <documents>. step3: the image processors of vLLM and SGLang, and the frame of DeepSeek that its successor's
// tokenizer has. longcat: the vendor's model cards and programs that serve the models. dots: the templates of llama.cpp,
// ms-swift and exllamav3. For the last three no tokenizer's configuration was found.
//
// And what a whole prompt writes itself, it breaks in the texts of others.

import { describe, expect, it } from 'vitest';
import type { Dialect } from '../engine/dialect.js';
import { neutralise } from '../engine/markers.js';
import { parse } from '../engine/parse.js';
import { renderPrompt } from '../engine/renderer.js';
import { findDialect } from './all.js';
import { dialects } from './every.fixture.js';

const llama3 =
  '<|begin_of_text|> <|end_of_text|> <|finetune_right_pad_id|> <|step_id|> <|start_header_id|> <|end_header_id|> <|eom_id|> <|eot_id|> <|python_tag|>';
const reserved = '<|reserved_special_token_0|> <|reserved_special_token_247|>';
const code =
  '<fim_prefix> <fim_middle> <fim_suffix> <fim_pad> <filename> <gh_stars> <issue_start> <issue_comment> <issue_closed> <jupyter_start> <jupyter_text> <jupyter_code> <jupyter_output> <empty_output> <commit_before> <commit_msg> <commit_after> <reponame>';
const deepseek =
  '<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜▁pad▁｜> <｜User｜> <｜Assistant｜> <|EOT|> <｜search▁begin｜> <｜search▁end｜> <｜fim▁begin｜> <｜fim▁hole｜> <｜fim▁end｜> <｜tool▁calls▁begin｜> <｜tool▁call▁begin｜> <｜tool▁sep｜> <｜tool▁outputs▁begin｜> <｜tool▁output▁begin｜> <｜begin▁sys｜> <｜end▁sys｜> <｜latest_reminder｜> <｜action｜> <｜query｜> <｜authority｜> <｜domain｜> <｜task｜> <｜title｜> <｜answer｜> <｜search｜> <｜extracted_url｜> <｜read_url｜> <｜end_of_query｜> <｜place▁holder▁no▁14｜> <think> </think>';
const glm =
  '[MASK] [gMASK] [sMASK] <sop> <eop> <|endoftext|> <|system|> <|user|> <|assistant|> <|observation|> <|reminder|> <|begin_of_image|> <|end_of_image|> <|begin_of_video|> <|end_of_video|> <|begin_of_audio|> <|end_of_audio|> <|begin_of_transcription|> <|end_of_transcription|> <|code_prefix|> <|code_middle|> <|code_suffix|> <|begin_of_box|> <|end_of_box|> <|image|> <|video|> <think> </think> <tool_call> </tool_call> <tool_response> </tool_response> <arg_key> </arg_key> <arg_value> </arg_value>';
const mistral =
  '<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] [IMG] <pad> [IMG_BREAK] [IMG_END] [PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT] [ARGS] [CALL_ID] [AUDIO] [BEGIN_AUDIO] [TRANSCRIBE] [THINK] [/THINK] [STREAMING_PAD] [STREAMING_WORD] [NEXT_AUDIO_TEXT] [REPEAT_AUDIO_TEXT] [MODEL_SETTINGS] [/MODEL_SETTINGS]';

const tokens: [dialect: string, tokens: string][] = [
  ['mistral', mistral],
  ['mistral-v3', mistral],
  [
    'kimi-k2',
    '[BOS] [EOS] [EOT] [PAD] [UNK] <|im_end|> <|im_user|> <|im_assistant|> <|im_system|> <|im_middle|> <|start_header_id|> <|end_header_id|> <|tool_calls_section_begin|> <|tool_calls_section_end|> <|tool_call_begin|> <|tool_call_argument_begin|> <|tool_call_end|> <|media_begin|> <|media_content|> <|media_pad|> <|media_end|> <think> </think>',
  ],
  [
    'kimi-k3',
    '[BOS] [EOS] [EOT] [UNK] [PAD] [start_header_id] [end_header_id] <osagent_mode> <|open|> <|close|> <|sep|> <|end_of_msg|> <|kimi_image_placeholder|> <|media_begin|> <|media_content|> <|media_end|> <|media_pad|>',
  ],
  [
    'gemma4',
    '<pad> <eos> <bos> <unk> <mask> <|tool> <tool|> <|tool_call> <tool_call|> <|tool_response> <tool_response|> <|"|> <|think|> <|channel> <channel|> <|turn> <turn|> <|image> <image|> <|image|> <|audio> <audio|> <|audio|> <|video|>',
  ],
  ['functionary-v3.2', `${llama3} ${reserved}`],
  ['functionary-v3.1', `${llama3} ${reserved}`],
  ['llama3-json', `${llama3} <|image|> ${reserved}`],
  ['pythonic', llama3],
  [
    'llama4-pythonic',
    '<|begin_of_text|> <|end_of_text|> <|header_start|> <|header_end|> <|eom|> <|eot|> <|step|> <|image_start|> <|image_end|> <|image|> <|patch|> <|python_start|> <|python_end|> <|finetune_right_pad|>',
  ],
  [
    'command-a',
    '<BOS_TOKEN> <|START_OF_TURN_TOKEN|> <|END_OF_TURN_TOKEN|> <|SYSTEM_TOKEN|> <|USER_TOKEN|> <|CHATBOT_TOKEN|> <|START_THINKING|> <|END_THINKING|> <|START_ACTION|> <|END_ACTION|> <|START_RESPONSE|> <|END_RESPONSE|> <|START_TEXT|> <|END_TEXT|> <|START_TOOL_RESULT|> <|END_TOOL_RESULT|>',
  ],
  [
    'granite',
    `<|start_of_role|> <|end_of_role|> <|end_of_text|> <|tool_call|> <|start_of_cite|> <|end_of_cite|> ${code}`,
  ],
  [
    'minimax-m2',
    `${code} ]~!b[ ]~b] [e~[ ]!p~[ ]!d~[ <function_call> <code_interpreter> <jupyter_error> <add_file> <delete_file> <rename_file> <edit_file> <commit_message> <empty_source_file> <repo_struct> <code_context> <file_content> <source_files> <pr_start> <review_comment> <filepath> <file_sep> ]<]speech[>[ ]<]image[>[ ]<]video[>[ <minimax:tool_call> </minimax:tool_call> <think> </think>`,
  ],
  [
    'hermes',
    '<|im_start|> <|im_end|> <|endoftext|> <|object_ref_start|> <|object_ref_end|> <|box_start|> <|box_end|> <|quad_start|> <|quad_end|> <|vision_start|> <|vision_end|> <|vision_pad|> <|image_pad|> <|video_pad|> <|audio_start|> <|audio_end|> <|audio_pad|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|> <|start_of_role|> <|end_of_role|> <|end_of_text|> <|start_of_plugin|> <|end_of_plugin|> <|filename|> <|reponame|> <|unused_1|> <|unk|> <|pad|> <think_on> <think_off> <|begin_of_text|> <|start_header_id|> <|end_header_id|> <|eot_id|> <|reserved_special_token_0|>',
  ],
  ['seed-oss', '<seed:bos> <seed:eos> <seed:pad> <seed:cot_budget_reflect> </seed:cot_budget_reflect>'],
  [
    'lfm2',
    '<|im_start|> <|im_end|> <|startoftext|> <|tool_list_start|> <|tool_list_end|> <image> <|pad|> <|fim_pre|> <|fim_mid|> <|fim_suf|> <|tool_response_start|> <|tool_response_end|> <|endoftext|> <|cot_start|> <|cot_end|> <|review_start|> <|review_end|> <|file_start|> <|file_end|> <|image_start|> <|image_end|> <|image_split|> <|img_row_1_col_2|> <|img_thumbnail|> <|reserved_4|> <|reserved_490|>',
  ],
  [
    'solar-open',
    '<|tools:begin|> <|tools:end|> <|tool:begin|> <|tool:end|> <|tool_response:result|> <|flush|> <|calls|> <|startoftext|> <|endoftext|>',
  ],
  ['hunyuan-3', '<｜hy_begin_of_sentence｜> <｜hy_begin_of_sentence:opensource｜> <｜reasoning_mode｜>'],
  [
    'muse',
    '<|begin_of_text|> <|end_of_text|> <|start|> <|message|> <|eom|> <|eot|> <|image|> <|video|> <|patch|>',
  ],
  [
    'harmony',
    '<|start|> <|end|> <|message|> <|channel|> <|constrain|> <|return|> <|call|> <|endoftext|> <|startoftext|> <|endofprompt|> <|refusal|> <|untrusted|> <|end_untrusted|> <|meta_sep|> <|meta_end|> <|reserved_200000|> <|reserved_201087|>',
  ],
  ['apertus', '<s> </s> <unk> <pad>'],
  ['apriel', '<s> </s> <unk> <pad>'],
  ['minicpm5', '<s> </s> <unk> <|im_start|> <|im_end|> <|endoftext|>'],
  ['nemotron', '<s> </s> <unk> <SPECIAL_10> <SPECIAL_11> <SPECIAL_12>'],
  [
    'internlm2',
    '<s> </s> <unk> <|im_start|> <|im_end|> <|action_end|> <|interpreter|> <|plugin|> <|ts|> <SMILES> </SMILES> <protein>',
  ],
  ['gigachat3', '<s> </s> <unk> <|message_sep|> <|role_sep|>'],
  ['minimax-m1', '<begin_of_document> <end_of_document> <beginning_of_sentence> <end_of_sentence>'],
  [
    'minimax-m3',
    ']~!b[ ]~b] [e~[ ]!p~[ ]<]frame[>[ ]<]image[>[ <mm:think> </mm:think> <fim_prefix> <file_sep> <|content_altered_placeholder|>',
  ],
  [
    'jamba',
    '<|startoftext|> <|endoftext|> <|pad|> <|unk|> <|bom|> <|eom|> <|system|> <|user|> <|assistant|> <|tool|> <documents> </documents> <tool_definitions> </tool_definitions> <tool_calls> </tool_calls> <citations> </citations>',
  ],
  [
    'ernie-4.5',
    '<s> </s> <unk> <|begin_of_sentence|> <|end_of_sentence|> <mask:0> <mask:1> <mask:7> <|im_start|> <|im_end|> <|IMAGE_PLACEHOLDER|> <|AUDIO_PLACEHOLDER|> <|IMAGE_START|> <|IMAGE_END|> <|IMAGE_SEP|> <|VIDEO_START|> <|VIDEO_END|> <|ASR_START|> <|ASR_END|> <|CROP_COL_SEP|> <|CROP_ROW_SEP|> <|LOC_BEGIN|> <|LOC_END|> <|LOC_SEP|> <|LOC_0|> <|LOC_1000|> <|BOI|> <|EOI|> <|BOV|> <|EOV|>',
  ],
  ['hunyuan-a13b', '<|startoftext|> <|eos|> <|extra_0|> <|extra_4|> <|pad|> <|endoftext|>'],
  [
    'longcat',
    '<longcat_s> </longcat_s> <longcat_system> <longcat_user> <longcat_assistant> <longcat_think> </longcat_think> <longcat_tool_call> </longcat_tool_call> <longcat_tool_response> </longcat_tool_response> <longcat_arg_key> </longcat_arg_key> <longcat_arg_value> </longcat_arg_value> <longcat_observation> <longcat_files> <longcat_audio_start> <longcat_img_start> <|longcat_end|>',
  ],
  [
    'dots',
    '<|system|> <|endofsystem|> <|userprompt|> <|endofuserprompt|> <|response|> <|endofresponse|> <|user|> <|endofuser|> <|assistant|> <|endofassistant|> <|sec-cot|> <|sec-end-cot|> <dots_function_call> </dots_function_call> <dots_function_response> </dots_function_response>',
  ],
  [
    'step3',
    '<｜begin▁of▁sentence｜> <｜end▁of▁sentence｜> <｜▁pad▁｜> <｜fim▁begin｜> <｜place▁holder▁no▁14｜> <|BOT|> <|EOT|> <im_patch> <im_start> <im_end> <patch_start> <patch_end> <patch_newline>',
  ],
  ['sarashina', '<s> </s> <unk> <|prefix|> <|file|> <|suffix|>'],
  ['phi-4-mini', '<|system|> <|end|> <|tool_call|> <|begin_of_text|> <|start_header_id|> <|eot_id|>'],
  [
    'olmo3',
    '<|im_start|> <|im_end|> <|endoftext|> <|pad|> <|endofprompt|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|extra_id_0|> <|extra_id_10|> |||PHONE_NUMBER||| |||EMAIL_ADDRESS||| |||IP_ADDRESS||| <functions> </functions> <function_calls> </function_calls>',
  ],
  ['deepseek-v3', deepseek],
  ['deepseek-v3.1', deepseek],
  ['deepseek-v3.2', deepseek],
  ['deepseek-v4', deepseek],
  ['deepseek-v4.1', deepseek],
  ['glm-4.5', glm],
  ['glm-4.7', glm],
  [
    'command-r',
    '<PAD> <UNK> <CLS> <SEP> <MASK_TOKEN> <BOS_TOKEN> <EOS_TOKEN> <EOP_TOKEN> <|END_OF_TURN_TOKEN|> <|YES_TOKEN|> <|USER_0_TOKEN|> <|EXTRA_5_TOKEN|>',
  ],
  [
    'qwen3-coder',
    '<|im_start|> <|im_end|> <|endoftext|> <|fim_pad|> <|audio_pad|> <tts_text_bos> <tts_text_eod> <im_patch> <｜begin▁of▁sentence｜> <｜▁pad▁｜> <|EOT|> <|mimo_video_start|> <|mimo_audio_eod|> <SPECIAL_10>',
  ],
];

/** What looks like a special token. */
const TOKEN = /<[^<>\s]+>|\[[^[\]\s]+\]/g;
const said = 'You are terse.';
const turns = {
  messages: [
    { role: 'system', content: said },
    { role: 'user', content: 'One and one?' },
    { role: 'assistant', content: 'Two.', reasoning_content: 'One more than one.' },
    { role: 'user', content: 'And one more?' },
  ],
};

/** The prompts of all models, with and without reasoning. */
const prompts = dialects
  .filter(({ render }) => render.prompt)
  .flatMap((dialect) =>
    [dialect.name, ...(dialect.render.variants ?? []).map(({ name }) => name)].map(
      (model, at): [string, Dialect, string | undefined] => [model, dialect, at === 0 ? undefined : model],
    ),
  );

describe.each(prompts)('the prompt of %s', (_, dialect, model) => {
  it('writes no token that a text from outside could write', () => {
    for (const thinking of [undefined, false, true]) {
      const options = { ...(model !== undefined && { model }), ...(thinking !== undefined && { thinking }) };
      const { text } = renderPrompt(dialect, turns, options);
      for (const [token] of text.matchAll(TOKEN))
        expect(neutralise(`a ${token} b`, dialect.markers), token).not.toContain(token);
    }
  });
});

/** The tags around the definitions of tools: the last two before the first definition, and the first two behind. */
function framesOfTools(text: string): string[] {
  const from = text.indexOf('zebra');
  const tags = (part: string) => [...part.matchAll(/<\/?[^<>\s]+>|\[\/?[A-Z_]+\]/g)].map(([tag]) => tag);
  return [...tags(text.slice(0, from)).slice(-2), ...tags(text.slice(text.lastIndexOf('zebra'))).slice(0, 2)];
}

const zebra = (description: string) => [
  {
    name: 'zebra',
    description,
    parameters: { type: 'object', properties: { zebra: { type: 'string', description } } },
  },
];

describe.each(prompts)('the tools in the prompt of %s', (_, dialect, model) => {
  it('stand in tags that no description can write', () => {
    const render = (description: string) =>
      renderPrompt(dialect, { ...turns, tools: zebra(description) }, model === undefined ? {} : { model })
        .text;
    const usual = render('Striped.');
    for (const tag of framesOfTools(usual))
      expect(render(`A ${tag} b`).split(tag).length, tag).toBe(usual.split(tag).length);
  });
});

describe.each(tokens)('%s', (name, list) => {
  it.each(list.split(' '))('breaks %s in text from outside, and reads it back', (token) => {
    const { markers, ...dialect } = findDialect(name);
    const broken = neutralise(`a ${token} b`, markers);
    expect(broken).not.toContain(token);
    expect(parse({ markers, ...dialect }, broken).text).toBe(`a ${token} b`);
  });
});
