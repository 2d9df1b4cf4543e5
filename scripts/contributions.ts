import { describeKind, inputSchemaOf, toolName } from '../src/core/agent/tools.js';
import { KIND_NAMES, type Kind } from '../src/core/lacuna/kinds.js';

/** What package.json and package.nls.json say of the agent, made from the schemas of the kinds. */
export interface Contributions {
  /** Contribution points that are written whole. */
  readonly points: Readonly<Record<string, unknown>>;
  /** Words of the contributions, by key. */
  readonly words: Readonly<Record<string, string>>;
}

const TITLES: Readonly<Record<Kind, string>> = {
  ListFiles: 'List Files',
  ReadFile: 'Read File',
  SearchFiles: 'Search Files',
  WriteFile: 'Write File',
  EditFile: 'Edit File',
  DeleteFile: 'Delete File',
  MoveFile: 'Move File',
  ExecuteShell: 'Run Command',
  HttpRequest: 'HTTP Request',
  QueryDatabase: 'Query Database',
  CallTool: 'Call Tool',
  Delegate: 'Delegate',
};

/** Slash commands of @lacuna. */
const COMMANDS: Readonly<Record<string, string>> = {
  plan: 'State a plan for the request and do nothing',
  explain: 'Explain why a step was decided as it was: the newest refusal, or the one you name',
  status: 'Say how the session stands: mode, risk, labels, decisions',
  policy: 'Say which policy is in force, and open it',
  rollback: 'Go back to the state before an earlier step',
  audit: 'Open the audit of this conversation',
  mode: 'Pick how strict Lacuna is',
};

const tool = (kind: Kind): Record<string, unknown> => ({
  name: toolName(kind),
  toolReferenceName: `lacuna${kind}`,
  displayName: `%tool.${kind}.name%`,
  userDescription: `%tool.${kind}.description%`,
  modelDescription: describeKind(kind),
  icon: '$(shield)',
  canBeReferencedInPrompt: true,
  tags: ['lacuna'],
  inputSchema: inputSchemaOf(kind),
});

/** All contributions of the agent. */
export function contributions(): Contributions {
  return {
    points: {
      languageModelTools: KIND_NAMES.map(tool),
      languageModelChatProviders: [{ vendor: 'lacuna', displayName: 'Lacuna', managementCommand: 'lacuna.setApiKey' }],
      chatParticipants: [
        {
          id: 'lacuna.agent',
          name: 'lacuna',
          fullName: 'Lacuna',
          description: '%chat.description%',
          isSticky: true,
          commands: Object.keys(COMMANDS).map((name) => ({ name, description: `%chat.command.${name}%` })),
        },
      ],
    },
    words: {
      'chat.description': 'An agent that acts only through the guard: plan, proposals, approvals, audit',
      ...Object.fromEntries(Object.entries(COMMANDS).map(([name, text]) => [`chat.command.${name}`, text])),
      ...Object.fromEntries(
        KIND_NAMES.flatMap((kind) => [
          [`tool.${kind}.name`, `${TITLES[kind]} (Lacuna)`],
          [`tool.${kind}.description`, `${describeKind(kind).split('. ')[0] ?? ''}, through the guard`],
        ]),
      ),
    },
  };
}
