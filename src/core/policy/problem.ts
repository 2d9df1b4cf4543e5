/** Something wrong or doubtful about a policy file, with the place where it stands. Lines and columns count from 1. */
export interface PolicyProblem {
  /** File or pack, as it is shown to people. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** End of the place, exclusive. */
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: 'error' | 'warning';
  readonly code: ProblemCode;
  readonly message: string;
}

/** What kinds of problems there are. `error` kinds keep a file from being used at all. */
export type ProblemCode =
  | 'unreadable'
  | 'too-large'
  | 'yaml'
  | 'shape'
  | 'pattern'
  | 'duplicate-id'
  | 'unknown-rule'
  | 'extends'
  | 'cycle'
  | 'not-allowed'
  | 'unreachable'
  | 'shadowed'
  | 'conflict'
  | 'test-failed';

/** One line for a terminal or a log: `policy.yaml:3:5: message`. */
export const problemLine = (problem: PolicyProblem): string =>
  `${problem.source}:${String(problem.line)}:${String(problem.column)}: ${problem.message}`;

/** A problem that has no better place than the start of its file. */
export const fileProblem = (source: string, code: ProblemCode, message: string): PolicyProblem => ({
  source,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  severity: 'error',
  code,
  message,
});
