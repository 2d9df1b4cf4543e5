import { composeOpenings } from '../shell/programs/containers/composeFile.js';
import { later, mark, newAmong, shownNames, type Finding, type Sides } from './finding.js';

const WHOLE_MACHINE =
  /^(?:\/|~\/?|\$\{?HOME\}?\/?|\/(?:etc|root|home|var|usr|proc|sys|dev|boot|run)(?:\/.*)?|~\/\.\w.*)$/;
const SOCKET = /docker\.sock|containerd\.sock|podman\.sock|crio\.sock/;
const HOST_NETWORK = /^\s*network_mode:\s*["']?host\b/m;

/** Mounts and rights by which a service of a compose file leaves its walls; mounting the project's own folder is everyday. */
function openings(text: string): readonly string[] {
  const { mounts, isOpen } = composeOpenings(text);
  return [
    ...mounts.map(({ source }) => source).filter((source) => SOCKET.test(source) || WHOLE_MACHINE.test(source)),
    ...(isOpen ? ['the rights of the machine'] : []),
    ...(HOST_NETWORK.test(text.replace(/(^|\s)#.*$/gm, '$1')) ? ["the machine's own network"] : []),
  ];
}

/** What services of a compose file see of this machine after a change and did not before. */
export function composeFindings({ name, before, after }: Sides): readonly Finding[] {
  if (!/^(?:docker-|podman-)?compose(?:[.-][\w.-]+)?\.ya?ml$/.test(name)) return [];
  const opened = newAmong(openings(before), openings(after)).filter(
    (one) => !/^\/etc\/(?:localtime|timezone)$/.test(one),
  );
  return opened.length === 0
    ? []
    : [later(`opens the machine to a container: ${shownNames(opened)}`, ['grants-access'])];
}

const TERRAFORM = /\.(?:tf|tofu)$|\.tf\.json$/;
/** `"prevent_destroy" = true` and what else keeps a resource from being lost; counted, since resources come and go. */
const KEEPS =
  /\b(?:prevent_destroy|deletion_protection(?:_enabled)?|enable_deletion_protection|termination_protection|disable_api_termination|block_public_acls|block_public_policy|restrict_public_buckets|ignore_public_acls|storage_encrypted|encrypted|mfa_delete|purge_protection_enabled|enable_key_rotation)"?\s*[=:]\s*"?true\b/g;
const LOSES =
  /\b(?:force_destroy|skip_final_snapshot|publicly_accessible|delete_automated_backups|force_delete|recovery_window_in_days"?\s*[=:]\s*0\b)"?\s*(?:[=:]\s*"?true\b)?|"?(?:prevent_destroy|deletion_protection(?:_enabled)?|enable_deletion_protection)"?\s*[=:]\s*"?false\b|\bacl"?\s*[=:]\s*"public-read|\bcidr_blocks"?\s*[=:]\s*\[\s*"0\.0\.0\.0\/0"/g;
const RUNS = /\b(?:provisioner"?\s*[:{]?\s*\{?\s*"?(?:local|remote)-exec"|data\s+"external"|"external"\s*:\s*\{)/g;

const count = (form: RegExp, text: string): number => [...text.matchAll(form)].length;

/** Code of infrastructure: what keeps resources from being lost or seen, and commands that run when it is applied. */
export function infrastructureFindings({ name, before, after }: Sides): readonly Finding[] {
  if (!TERRAFORM.test(name)) return [];
  const [was, is] = [before, after].map((text) => text.replace(/(^|\s)(?:#|\/\/).*$/gm, '$1')) as [string, string];
  const resources = (text: string): number => count(/^\s*resource\s/gm, text);
  const findings: Finding[] = [];
  if (count(KEEPS, is) < count(KEEPS, was) && resources(is) >= resources(was))
    findings.push(mark('removes-check', 'takes away what keeps a resource from being lost or open'));
  const lost = newAmong(
    [...was.matchAll(LOSES)].map(([one]) => one),
    [...is.matchAll(LOSES)].map(([one]) => one),
  );
  if (count(LOSES, is) > count(LOSES, was))
    findings.push(
      mark(
        'removes-check',
        `lets resources be lost or seen: ${shownNames(lost.length > 0 ? lost : ['as others are'])}`,
      ),
    );
  if (count(RUNS, is) > count(RUNS, was)) findings.push(later('runs commands when it is applied'));
  return findings;
}
