import { mustRun } from '../run.js';
import { parts } from './place.js';
import { extensionsFolder } from './webEditor.js';

/** Installs a VSIX into a profile of the web editor, as a person would. */
export async function installVsix(profile: string, vsix: string): Promise<void> {
  await mustRun(
    parts.node,
    [
      parts.server,
      '--install-extension',
      vsix,
      '--force',
      '--extensions-dir',
      extensionsFolder(profile),
      '--accept-server-license-terms',
    ],
    'The extension could not be installed into the web editor',
  );
}
