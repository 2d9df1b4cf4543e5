import path from 'node:path';
import type { SetUpAgent } from '../../src/hooks/setup/agents.js';

/** How a client is started so that it works through a request by itself, with a model at an address of this machine. */
export interface Client {
  readonly agent: SetUpAgent;
  /** npm package that brings it. */
  readonly package: string;
  /** Its program, below the folder of packages. */
  readonly program: string;
  readonly args: (model: string) => readonly string[];
  readonly environment: (model: string) => Readonly<Record<string, string>>;
  /** What tells it of a server of the Model Context Protocol, before its other words. */
  readonly mcp: (name: string, command: string, args: readonly string[]) => readonly string[];
  /** Where a server stands instead, below the home folder, when no words tell of it. */
  readonly mcpFile?: string;
  /** Files that a person would have in the home folder; hooks are set up beside what they say. */
  readonly home: Readonly<Record<string, string>>;
}

const REQUEST = 'do the steps';

/** All approvals of the clients themselves are off: what stops a call is the hook. */
export const CLIENTS: readonly Client[] = [
  {
    agent: 'claude',
    package: '@anthropic-ai/claude-code',
    program: '@anthropic-ai/claude-code-linux-x64/claude',
    args: () => ['-p', REQUEST, '--model', 'claude-sonnet-4-5', '--permission-mode', 'bypassPermissions'],
    environment: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
      // Servers are waited for before the model is asked.
      MCP_CONNECTION_NONBLOCKING: '0',
      MCP_TIMEOUT: '60000',
    }),
    mcp: (name, command, args) => ['--mcp-config', JSON.stringify({ mcpServers: { [name]: { command, args } } })],
    home: {},
  },
  {
    agent: 'codex',
    package: '@openai/codex',
    program: '.bin/codex',
    args: (model) => [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      // A person trusts the hooks once, in the client; nobody is here to do so.
      '--dangerously-bypass-hook-trust',
      ...['-m', 'gpt-5', '-c', 'model_provider="scripted"'],
      ...[
        '-c',
        `model_providers.scripted={name="scripted",base_url="${model}/v1",wire_api="responses",env_key="SCRIPTED_KEY"}`,
      ],
      REQUEST,
    ],
    environment: () => ({ SCRIPTED_KEY: 'none' }),
    mcp: (name, command, args) => [
      ...['-c', `mcp_servers.${name}.command=${JSON.stringify(command)}`],
      ...['-c', `mcp_servers.${name}.args=${JSON.stringify(args)}`, '-c', `mcp_servers.${name}.startup_timeout_sec=60`],
      ...['-c', `mcp_servers.${name}.required=true`],
    ],
    home: {},
  },
  {
    agent: 'gemini',
    package: '@google/gemini-cli',
    program: '.bin/gemini',
    args: () => ['-p', REQUEST, '--yolo', '-m', 'gemini-2.5-pro'],
    environment: (model) => ({
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_API_KEY: 'none',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    // Gemini CLI reads servers from its settings only.
    mcp: () => [],
    mcpFile: '.gemini/settings.json',
    home: {
      '.gemini/settings.json':
        '{\n  // signed in by key\n  "security": { "auth": { "selectedType": "gemini-api-key" } }\n}\n',
    },
  },
  {
    agent: 'copilot',
    package: '@github/copilot',
    program: '.bin/copilot',
    args: () => ['-p', REQUEST, '--allow-all-tools', '--allow-all-paths', '--no-color'],
    environment: (model) => ({
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
    }),
    mcp: (name, command, args) => [
      '--additional-mcp-config',
      JSON.stringify({ mcpServers: { [name]: { type: 'local', command, args, tools: ['*'] } } }),
    ],
    home: {},
  },
];

/** The program of a client in a folder where npm has installed it. */
export const programOf = (client: Client, folder: string): string =>
  path.join(folder, 'node_modules', ...client.program.split('/'));
