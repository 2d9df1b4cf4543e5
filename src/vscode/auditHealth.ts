import * as vscode from 'vscode';
import type { AuditSink } from '../core/ports.js';
import type { Health } from './health.js';

/**
 * A sink that tells the person when it cannot be written to: from then on nothing is done, and who looks at a stopped agent should not
 * have to guess why. Tells also that it works again.
 */
export const telling = (sink: AuditSink, health: Health): AuditSink => ({
  append: async (body) => {
    try {
      await sink.append(body);
      health.tell('audit', null);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      health.tell('audit', vscode.l10n.t('The audit cannot be written, so nothing is done: {0}', why));
      throw error;
    }
  },
  read: () => sink.read(),
});
