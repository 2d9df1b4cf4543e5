import path from 'node:path';
import { AuditFolder } from '../adapters/auditFile.js';
import { stateFolder } from '../adapters/stateFolder.js';
import { clock, hasher } from '../adapters/system.js';
import type { AuditReport } from '../core/audit/chain.js';
import { describeRecord } from '../core/audit/describe.js';
import { toOtlp } from '../core/audit/otlp.js';
import { EXIT, only, oneOf, parseArguments, UsageError, type ExitCode, type Io } from './io.js';

const HELP = `usage: lacuna audit verify [SESSION] | list | show SESSION [--json] | export SESSION [--format json|otlp]
       --state DIR   where audits are kept (default: $XDG_STATE_HOME/lacuna)

verify checks the chain of one session or of all; exit code 1 when a line was edited, removed or cut off.
`;

/** `lacuna audit`: the chain, a session as text or JSON, and export. */
export async function audit(args: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments(args, { state: 'value', json: 'switch', format: 'value', help: 'switch' });
  const [what, sessionId] = parsed.operands;
  if (parsed.switches.has('help') || what === undefined) {
    io.out(HELP);
    return what === undefined && !parsed.switches.has('help') ? EXIT.unusable : EXIT.done;
  }
  const folder = new AuditFolder(path.join(only(parsed, 'state') ?? stateFolder(), 'audit'), { hasher, clock });
  switch (what) {
    case 'list':
      for (const session of folder.sessions())
        io.out(`${new Date(session.modifiedMs).toISOString()}  ${session.sessionId}\n`);
      return EXIT.done;
    case 'verify':
      return verify(folder, sessionId === undefined ? folder.sessions().map((s) => s.sessionId) : [sessionId], io);
    case 'show': {
      const report = existing(folder, sessionId);
      for (const record of report.records)
        io.out(`${parsed.switches.has('json') ? JSON.stringify(record) : describeRecord(record)}\n`);
      return warnOfFaults(report, io);
    }
    case 'export': {
      const report = existing(folder, sessionId);
      const format = oneOf(parsed, 'format', ['json', 'otlp'], 'json');
      const value = format === 'otlp' ? toOtlp(report.records, hasher) : report.records;
      io.out(`${JSON.stringify(value, null, 2)}\n`);
      return warnOfFaults(report, io);
    }
    default:
      throw new UsageError(`There is no "audit ${what}": use verify, list, show or export.`);
  }
}

function existing(folder: AuditFolder, sessionId: string | undefined): AuditReport {
  if (sessionId === undefined) throw new UsageError('Name the session: "lacuna audit list" shows them.');
  const report = folder.verify(sessionId);
  if (report.records.length === 0 && report.faults.length === 0)
    throw new UsageError(`There is no audit of a session ${sessionId}: "lacuna audit list" shows those there are.`);
  return report;
}

function verify(folder: AuditFolder, sessionIds: readonly string[], io: Io): ExitCode {
  let code: ExitCode = EXIT.done;
  for (const sessionId of sessionIds) {
    const report = existing(folder, sessionId);
    const lines = `${String(report.records.length)} lines`;
    const unfinished = report.hasUnfinishedLine ? ', and one that a crash left half written' : '';
    if (report.faults.length === 0) io.out(`${sessionId}: whole, ${lines}${unfinished}\n`);
    else code = EXIT.failed;
    for (const fault of report.faults)
      io.out(
        `${sessionId}: ${fault.type}${fault.line === null ? '' : ` at line ${String(fault.line)}`}: ${fault.message}\n`,
      );
  }
  if (sessionIds.length === 0) io.out('There are no audits yet.\n');
  return code;
}

function warnOfFaults(report: AuditReport, io: Io): ExitCode {
  for (const fault of report.faults) io.error(`lacuna audit: ${fault.message}\n`);
  return report.faults.length === 0 ? EXIT.done : EXIT.failed;
}
