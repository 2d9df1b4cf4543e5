import type { Hasher } from '../ports.js';
import { bodiesOf } from './bodies.js';
import type { AuditBody, AuditRecord } from './record.js';
import { describeProposal } from './describe.js';

/** A value of an attribute, as OTLP/JSON writes it. */
interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  /** 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: 0 | 1 | 2; readonly message: string };
}

const text = (key: string, value: string): OtlpAttribute => ({ key, value: { stringValue: value } });
const nanos = (ms: number): string => `${String(Math.round(ms))}000000`;

/**
 * A session's audit as an OTLP/JSON `ExportTraceServiceRequest`: one span a Lacuna, children under their parents. Names follow
 * the generative-AI conventions where they have one (`gen_ai.tool.name`). Source: OTLP 1.5, JSON mapping of Protobuf.
 */
export function toOtlp(records: readonly AuditRecord[], hasher: Hasher): object {
  const spanIdOf = (lacunaId: string): string => hasher.sha256(lacunaId).slice(0, 16);
  const byLacuna = new Map<string, Line[]>();
  const groups = new Map<string, string>();
  for (const { atMs, ...record } of records) {
    if (record.type === 'group') for (const { id } of record.lacunas) groups.set(id, record.groupId);
    for (const body of bodiesOf(record)) {
      const id = body.type === 'proposed' ? body.lacuna.id : 'lacunaId' in body ? body.lacunaId : null;
      if (id !== null) byLacuna.set(id, [...(byLacuna.get(id) ?? []), { ...body, atMs }]);
    }
  }
  const spans = [...byLacuna.values()].flatMap((lines): OtlpSpan[] => {
    const first = lines[0];
    const last = lines.at(-1);
    if (first?.type !== 'proposed' || last === undefined) return [];
    const { lacuna } = first;
    const decided = lines.find((line) => line.type === 'decided');
    const outcome = lines.find((line) => line.type === 'outcome');
    return [
      {
        traceId: hasher.sha256(lacuna.sessionId).slice(0, 32),
        spanId: spanIdOf(lacuna.id),
        parentSpanId: lacuna.parentId === null ? '' : spanIdOf(lacuna.parentId),
        name: `execute_tool ${lacuna.kind}`,
        kind: 1,
        startTimeUnixNano: nanos(first.atMs),
        endTimeUnixNano: nanos(last.atMs),
        attributes: [
          text('gen_ai.operation.name', 'execute_tool'),
          text('gen_ai.tool.name', lacuna.kind),
          text('gen_ai.tool.call.id', lacuna.id),
          text('gen_ai.agent.name', lacuna.origin.agent),
          text('lacuna.proposal', describeProposal(lacuna)),
          ...(groups.has(lacuna.id) ? [text('lacuna.group', groups.get(lacuna.id) ?? '')] : []),
          ...(decided?.type === 'decided'
            ? [
                text('lacuna.verdict', decided.decision.verdict),
                text('lacuna.decided_by', decided.decision.decidedBy),
                text('lacuna.risk', decided.decision.risk),
                text(
                  'lacuna.rules',
                  decided.decision.rules
                    .filter((rule) => rule.lost === null)
                    .map((rule) => rule.id)
                    .join(','),
                ),
                text('lacuna.reason', decided.decision.reason),
              ]
            : []),
          ...(outcome?.type === 'outcome' ? [text('lacuna.outcome', outcome.outcome.type)] : []),
        ],
        status: statusOf(outcome),
      },
    ];
  });
  return {
    resourceSpans: [
      {
        resource: { attributes: [text('service.name', 'lacuna')] },
        scopeSpans: [{ scope: { name: 'lacuna.audit', version: '1' }, spans }],
      },
    ],
  };
}

/** What was said of one Lacuna, and when. */
type Line = AuditBody & { readonly atMs: number };

function statusOf(outcome: Line | undefined): OtlpSpan['status'] {
  if (outcome?.type !== 'outcome') return { code: 0, message: 'no outcome' };
  const { type } = outcome.outcome;
  return type === 'filled' || type === 'partly' ? { code: 1, message: '' } : { code: 2, message: type };
}
