// The agents: which package each is, how a person starts it on the gateway, and what its tools are called.
//
// `env` and `args` are what a person would type; `quiet` and `home` only keep a run to itself: no updates, no
// statistics. `mayWrite` lets it write without asking.

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
    },
  },
  {
    name: 'Codex',
    package: '@openai/codex',
    bin: 'codex',
    env: () => ({ OPENAI_API_KEY: 'none' }),
    quiet: {},
    home: { '.codex/config.toml': 'check_for_update_on_startup = false\n[analytics]\nenabled = false\n' },
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
    quiet: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    args: ({ model, question, more }) => ['run', '-m', `dragoman/${model}`, ...more, question],
    mayWrite: [],
    // Its tool for lists fetches a program on first use, and a run has no network.
    lists: 'Run `ls` here.',
    tools: {
      write: (path, content) => ['write', { filePath: path, content }],
      read: (path) => ['read', { filePath: path }],
    },
  },
  {
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    bin: 'qwen',
    env: ({ url, model }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: model }),
    quiet: { QWEN_TELEMETRY_ENABLED: 'false' },
    home: { '.qwen/settings.json': '{ "privacy": { "usageStatisticsEnabled": false } }\n' },
    args: ({ question, more }) => ['--auth-type', 'openai', '-p', question, ...more],
    mayWrite: ['--approval-mode', 'auto-edit'],
    tools: {
      write: (path, content) => ['write_file', { file_path: path, content }],
      read: (path) => ['read_file', { file_path: path }],
    },
  },
];
