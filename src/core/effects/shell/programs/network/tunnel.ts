import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, rows } from '../helpers.js';
import { exactWord } from '../../word.js';

/** Sub-commands of tunnel programs that only look or set up. */
const QUIET =
  /^(help|version|completion|login|logout|update|validate|list|ls|info|status|config|netcheck|ip|whoami|ping|diag|bugreport|service-status|check|inspect|credits)$/;

/** Programs that make a port of this machine reachable for everyone. */
function tunnel(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const verbs = words.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
  const { program } = run.invocation;
  const verb = program === 'cloudflared' && verbs[0] === 'tunnel' ? (verbs[1] ?? 'run') : (verbs[0] ?? '');
  if (/^(authtoken|add-authtoken|login|up|set|auth|service|register)$/.test(verb) || verbs.includes('add-authtoken')) {
    run.emit(
      'persist',
      { type: 'process', process: program },
      { traits: ['grants-access'], reversible: 'no', note: 'joins this machine to a network or account' },
    );
  }
  if (verb === 'delete' || verb === 'cleanup' || verb === 'down' || verb === 'rm') {
    run.emit('delete', { type: 'remote', service: program, name: verbs.slice(1).join(' ') }, { reversible: 'no' });
    return;
  }
  if (QUIET.test(verb) && !verbs.includes('add-authtoken')) return;
  run.network(exactWord(`https://${program}`), {
    method: 'LISTEN',
    traits: ['publish', 'outward', 'daemon'],
    note: 'opens a way from the internet to this machine',
  });
}

export const tunnelPrograms: readonly ProgramEntry[] = rows(
  'ngrok cloudflared localtunnel|lt bore frpc serveo zrok pagekite tailscale inlets chisel localhost.run expose telebit devtunnel|devtunnels tmate upterm gotty ttyd wetty',
  tunnel,
);
