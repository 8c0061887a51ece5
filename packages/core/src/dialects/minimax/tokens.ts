// Tokens of the tokenizers of MiniMax M2 and M3 that no prompt here has.

import { codeTokens } from '../../families/declared/code-tokens.js';

export const minimaxTokens: readonly string[] = [
  ...codeTokens,
  ...(
    ']!p~[ ]!d~[ <function_call> <code_interpreter> <jupyter_error> <add_file> <delete_file> <rename_file> ' +
    '<edit_file> <commit_message> <empty_source_file> <repo_struct> <code_context> <file_content> <source_files> ' +
    '<pr_start> <review_comment> <filepath> <file_sep> ]<]speech[>[ ]<]image[>[ ]<]video[>['
  ).split(' '),
  ...['speech', 'image', 'video'].flatMap((kind) => [`]<]start of ${kind}[>[`, `]<]end of ${kind}[>[`]),
  ']<]vision pad[>[',
];
