import type { AuditBody, GroupMember } from './record.js';

/** What a line says of single Lacunas, in the order of what happened: the lines of a group taken apart, any other as it is. */
export function bodiesOf(body: AuditBody): readonly AuditBody[] {
  switch (body.type) {
    case 'group':
      return [body, ...body.lacunas.map((lacuna): AuditBody => ({ type: 'proposed', lacuna }))];
    case 'group-decided':
      return [body, ...body.members.flatMap(bodiesOfMember)];
    default:
      return [body];
  }
}

const bodiesOfMember = ({ lacunaId, analysed, decision, micros, events }: GroupMember): readonly AuditBody[] => [
  ...(analysed === null ? [] : [analysed]),
  { type: 'decided', lacunaId, decision, micros },
  ...events.map((event): AuditBody => ({ type: 'session', event })),
];
