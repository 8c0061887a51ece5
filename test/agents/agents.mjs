// The agents: which package each is, how a person starts it on the gateway, and what its tools are called.
//
// `env`, `args` and `home` (files in the home folder) are what a person would set and type; `quiet` only keeps a run to
// itself: no updates, no statistics. `mayWrite` lets it write without asking. `seconds` is the limit of one run.

import { basename } from 'node:path';

export const agents = [
  {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    bin: 'claude',
    env: ({ url, model }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: 'none',
      ANTHROPIC_MODEL: model,
    }),
    quiet: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    args: ({ question, more }) => ['-p', question, ...more],
    mayWrite: ['--permission-mode', 'acceptEdits'],
    tools: {
      write: (path, content) => ['Write', { file_path: path, content }],
      read: (path) => ['Read', { file_path: path }],
      readPart: (path, offset, limit) => ['Read', { file_path: path, offset, limit }],
      edit: (path, before, after) => ['Edit', { file_path: path, old_string: before, new_string: after }],
      list: (path) => ['Bash', { command: `ls ${path}`, description: 'List the files' }],
    },
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    bin: 'codex',
    env: () => ({ OPENAI_API_KEY: 'none' }),
    quiet: {},
    home: () => ({
      '.codex/config.toml': 'check_for_update_on_startup = false\n[analytics]\nenabled = false\n',
    }),
    args: ({ url, model, question, more }) => [
      ...['exec', '--skip-git-repo-check', '-c', 'model_provider=dragoman', '-c', `model=${model}`, '-c'],
      `model_providers.dragoman={name="dragoman",base_url="${url}/v1",wire_api="responses",env_key="OPENAI_API_KEY"}`,
      ...more,
      question,
    ],
    // Its sandbox is not what is tested, and not every machine can have one.
    mayWrite: ['-s', 'danger-full-access'],
    tools: {
      write: (path, content) => ['exec_command', { cmd: `cat > ${path} <<'END'\n${content}END` }],
      read: (path) => ['exec_command', { cmd: `cat ${path}` }],
      readPart: (path, offset, limit) => [
        'exec_command',
        { cmd: `sed -n '${offset},${offset + limit - 1}p' ${path}` },
      ],
      edit: (path, before, after) => ['exec_command', { cmd: patch(path, before, after) }],
      list: (path) => ['exec_command', { cmd: `ls ${path}` }],
      patch: (text) => ['apply_patch', { input: text }],
    },
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    bin: 'opencode',
    env: ({ url, model }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          dragoman: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { [model]: {} },
          },
        },
      }),
    }),
    quiet: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    args: ({ model, question, more }) => ['run', '-m', `dragoman/${model}`, ...more, question],
    mayWrite: [],
    // Its tool for lists fetches a program on first use, and a run has no network.
    lists: 'Run `ls` here.',
    tools: {
      write: (path, content) => ['write', { filePath: path, content }],
      read: (path) => ['read', { filePath: path }],
      readPart: (path, offset, limit) => ['read', { filePath: path, offset, limit }],
      edit: (path, before, after) => ['edit', { filePath: path, oldString: before, newString: after }],
      list: (path) => ['bash', { command: `ls ${path}`, description: 'Lists the files' }],
    },
  },
  {
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    bin: 'qwen',
    env: ({ url, model }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: model }),
    quiet: { QWEN_TELEMETRY_ENABLED: 'false' },
    home: () => ({ '.qwen/settings.json': '{ "privacy": { "usageStatisticsEnabled": false } }\n' }),
    args: ({ question, more }) => ['--auth-type', 'openai', '-p', question, ...more],
    mayWrite: ['--approval-mode', 'auto-edit'],
    tools: {
      write: (path, content) => ['write_file', { file_path: path, content }],
      read: (path) => ['read_file', { file_path: path }],
      readPart: (path, offset, limit) => ['read_file', { file_path: path, offset: offset - 1, limit }],
      edit: (path, before, after) => ['edit', { file_path: path, old_string: before, new_string: after }],
      list: (path) => ['glob', { pattern: '*', path }],
    },
  },
  {
    name: 'Copilot CLI',
    package: '@github/copilot',
    bin: 'copilot',
    env: ({ url, model }) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: model,
      COPILOT_OFFLINE: 'true',
    }),
    quiet: { COPILOT_AUTO_UPDATE: 'false' },
    args: ({ question, more }) => ['-p', question, ...more],
    mayWrite: ['--allow-all-tools'],
    tools: {
      write: (path, content) => ['create', { path, file_text: content }],
      read: (path) => ['view', { path }],
      readPart: (path, offset, limit) => ['view', { path, view_range: [offset, offset + limit - 1] }],
      edit: (path, before, after) => ['edit', { path, old_str: before, new_str: after }],
      list: (path) => ['bash', { command: `ls ${path}`, description: 'List the files' }],
    },
  },
  {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent',
    bin: 'pi',
    env: () => ({}),
    quiet: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
    home: ({ url, model }) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          dragoman: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: 'none',
            models: [{ id: model }],
          },
        },
      }),
    }),
    args: ({ model, question, more }) => [
      '--provider',
      'dragoman',
      '--model',
      model,
      ...more,
      '-p',
      question,
    ],
    mayWrite: [],
    tools: {
      write: (path, content) => ['write', { path, content }],
      read: (path) => ['read', { path }],
      readPart: (path, offset, limit) => ['read', { path, offset, limit }],
      edit: (path, before, after) => ['edit', { path, edits: [{ oldText: before, newText: after }] }],
      list: (path) => ['bash', { command: `ls ${path}` }],
    },
  },
];

/** Codex has its own program for edits on the path of its shell. */
function patch(path, before, after) {
  const name = basename(path);
  const lines = [
    '*** Begin Patch',
    `*** Update File: ${name}`,
    '@@',
    `-${before}`,
    `+${after}`,
    '*** End Patch',
  ];
  return `apply_patch <<'END'\n${lines.join('\n')}\nEND`;
}
