// The definitions of the tools: names, descriptions and schemas.
//
// The names and the members `command`, `timeoutMs`, `path` and `content` are those that xnl's protocol text uses in
// its examples; the members beyond these are optional.

import type { Tool } from '@dragoman/core';

export type SysToolName = 'bash' | 'read_file' | 'write_file' | 'list_files';

/** The namespace of the names: `SysBuiltIn.bash`. */
export const SYS_NAMESPACE = 'SysBuiltIn';

const path = (says: string) => ({ type: 'string', description: says });

export const sysDefinitions: Readonly<
  Record<SysToolName, Required<Pick<Tool, 'description' | 'parameters'>>>
> = {
  bash: {
    description:
      'Runs a shell command in the working folder and returns its exit code, stdout and stderr. There is no ' +
      'input to read from. The command can reach everything the user can, not only the folder, so the user may ' +
      'be asked first. Processes left in the background are ended with the command. Long output is cut in the ' +
      'middle.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command, as one would type it.' },
        timeoutMs: {
          type: 'integer',
          minimum: 1,
          description:
            'The command is ended after this many milliseconds. It can only shorten the usual limit.',
        },
      },
      required: ['command'],
      additionalProperties: false,
    },
  },
  read_file: {
    description:
      'Returns the text of a file in the working folder. Long files come in parts: a note at the end says how ' +
      'to go on.',
    parameters: {
      type: 'object',
      properties: {
        path: path('The file, relative to the working folder.'),
        offset: { type: 'integer', minimum: 1, description: 'The line to begin with, from 1. Default 1.' },
        limit: { type: 'integer', minimum: 1, description: 'How many lines. Default: as many as fit.' },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
  write_file: {
    description:
      'Writes a whole text file in the working folder, in place of what it held. Missing folders are made. The ' +
      'user may be asked first.',
    parameters: {
      type: 'object',
      properties: {
        path: path('The file, relative to the working folder.'),
        content: { type: 'string', description: 'The whole new text of the file.' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
  },
  list_files: {
    description:
      'Lists a folder in the working folder, one entry a line; folders end in "/". With `recursive` also what is ' +
      'in its folders, except in .git and node_modules. Symbolic links are named, not followed.',
    parameters: {
      type: 'object',
      properties: {
        path: path('The folder, relative to the working folder. Default: the working folder itself.'),
        recursive: { type: 'boolean', description: 'Default false.' },
      },
      additionalProperties: false,
    },
  },
};
