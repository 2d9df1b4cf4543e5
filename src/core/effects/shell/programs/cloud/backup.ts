import { placeOfRemote, type StoreWord } from './remoteWord.js';
import { serviceRows, type ServiceSpec } from './service.js';

const local = (word: StoreWord): boolean => placeOfRemote(word) === 'here';

/** Backups and copies to object stores. Sources: restic 0.17, borg 1.4 and 2.0, Velero 1.15, rclone 1.68, mc of MinIO. */
const BACKUPS: readonly ServiceSpec[] = [
  {
    names: 'restic rustic',
    flags:
      '-q --quiet -v --verbose --json --no-lock --prune --remove-all --cleanup --read-data --dry-run -n --insecure-tls --compact',
    values:
      '-r --repo --repository-file -p --password-file --password-command --tag --host -H --path --exclude --exclude-file --keep-last --keep-hourly --keep-daily --keep-weekly --keep-monthly --keep-yearly --keep-within --keep-tag --target -t --include --files-from -o --option --limit-upload --max-unused --cacert --iexclude --cache-dir --group-by --parent',
    trial: '-n',
    delete: 'forget, prune, key remove, unlock --remove-all, cache --cleanup, rewrite, repair *, migrate, tag',
    publish: 'backup, copy, init',
    grant: 'key add, key passwd',
    secret: 'key list',
    run: 'mount, serve',
    read: 'snapshots, check, stats, ls, find, dump, diff, list, cat, version, cache, unlock, self-update, generate, features',
    change: 'restore',
    also: (run, operands, parsed) => {
      const [verb, ...rest] = operands;
      if (verb?.text === 'backup') for (const path of rest) run.read(path, { traits: ['recursive'] });
      const target = parsed.value('--target', '-t');
      if (verb?.text === 'restore' && target) run.write(target, { traits: ['recursive', 'overwrite'] });
      const command = parsed.value('--password-command');
      if (command) run.code('sh', command);
      const file = parsed.value('-p', '--password-file');
      if (file) run.read(file);
    },
  },
  {
    names: 'borg borgmatic borgbackup attic',
    service: 'borg',
    flags:
      '-v --verbose --info --debug -p --progress --stats -s --list --json -n --dry-run --force --cache-only --save-space --one-file-system -x --exclude-caches --keep-exclude-tags',
    values:
      '-r --repo -P --prefix -a --glob-archives --match-archives --keep-last --keep-hourly --keep-daily --keep-weekly --keep-monthly --keep-yearly --keep-within -C --compression -e --exclude --exclude-from --patterns-from --comment --rsh --remote-path --encryption --first --last --sort-by --format --lock-wait --threshold --upload-ratelimit --archives-filter --config -c',
    trial: '-n',
    bare: 'change',
    delete:
      'delete, prune, compact, repo-delete, rdelete, recreate, break-lock, undelete, key change-*, rename, transfer, config --delete',
    publish: 'create, init, repo-create, rcreate, export-tar, serve, upgrade',
    secret: 'key export, key *',
    run: 'mount, with-lock, serve',
    read: 'list, info, diff, check, version, extract --dry-run, umount, repo-list, rlist, repo-info, rinfo, help, benchmark, debug *, config, repo-space',
    change: 'extract, import-tar, key import, tag',
    also: (run, operands, parsed) => {
      const [verb, ...rest] = operands;
      if (verb?.text === 'create') for (const path of rest.slice(1)) run.read(path, { traits: ['recursive'] });
      if (verb?.text === 'with-lock') run.carry(rest.slice(1));
      if (verb?.text === 'extract')
        run.write({ text: '.', raw: '.', certainty: 'exact', quoted: true }, { traits: ['recursive', 'overwrite'] });
      const shell = parsed.value('--rsh');
      if (shell) run.code('sh', shell);
      const repository = rest[0];
      if (verb && repository && local(repository) && /^(delete|prune|compact|rdelete|repo-delete)$/.test(verb.text)) {
        const path = repository.text.replace(/::.*$/s, '');
        if (path.includes('/'))
          run.delete(
            { ...repository, text: path },
            { traits: ['recursive', 'mass'], certainty: 'pattern', note: 'backups are thrown away' },
          );
      }
    },
  },
  {
    names: 'velero',
    values:
      '-n --namespace --kubeconfig --kubecontext -l --selector -o --output --from-backup --from-schedule --schedule --include-namespaces --exclude-namespaces --include-resources --exclude-resources --ttl --storage-location --name --provider --bucket --plugins --secret-file --backup-location-config --snapshot-location-config',
    nouns: 'backup restore schedule snapshot plugin repo',
    delete: '* delete, delete *, uninstall, schedule pause, plugin remove',
    publish:
      'install, backup create, create *, schedule create, restore create, backup-location create, backup-location set, snapshot-location create, snapshot-location set, plugin add, schedule unpause, client config set',
    read: '* get, * describe, * logs, get *, describe *, version, debug, repo get, backup download, client config get, status-request, completion',
  },
  {
    names: 'rclone',
    flags:
      '-n --dry-run -i --interactive -v -vv -P --progress -q --fast-list --checksum -c --size-only --update -u --ignore-existing --delete-excluded --track-renames --delete-before --delete-after --delete-during --inplace --recursive -R --daemon --read-only --copy-links -L --metadata -M --human-readable',
    values:
      '--config --transfers --checkers --include --exclude --filter --filter-from --files-from --include-from --exclude-from --bwlimit --max-age --min-age --max-size --min-size --log-file --log-level --backup-dir --suffix --dedupe-mode --addr --user --pass --vfs-cache-mode --password-command --stats --retries --max-depth --format -o --output --s3-acl --rc-addr',
    trial: '-n',
    delete:
      'sync, delete, deletefile, purge, rmdir, rmdirs, cleanup, dedupe, move, moveto, bisync, config delete, backend *, config disconnect',
    publish: 'copy, copyto, copyurl, rcat, touch, mkdir, settier',
    grant: 'link, authorize',
    secret: 'config show, config dump, config userinfo, reveal',
    run: 'serve, serve *, mount, rcd, rc, nfsmount',
    login: 'config, config create, config update, config password, config reconnect',
    read: 'lsd, ls, lsl, lsf, lsjson, md5sum, sha1sum, hashsum, check, checksum, size, about, cat, tree, ncdu, listremotes, version, cryptcheck, cryptdecode, config file, config paths, config providers, config touch, config redacted, obscure, test *, features, gitannex, selfupdate, genautocomplete, help, completion',
    also: (run, operands, parsed) => {
      const [verb, source, target] = operands;
      if (!verb || !source) return;
      if (/^(copy|copyto|sync|bisync|move|moveto)$/.test(verb.text)) {
        if (local(source)) run.read(source, { traits: ['recursive'] });
        if (target && local(target)) {
          run.write(target, { traits: ['recursive', 'download'] });
          if (verb.text === 'sync')
            run.delete(target, {
              traits: ['recursive', 'mass'],
              certainty: 'pattern',
              note: 'deletes what the source does not hold',
            });
        }
        if (verb.text.startsWith('move') && local(source)) run.delete(source, { traits: ['recursive', 'mass'] });
      } else if (/^(delete|deletefile|purge|rmdirs?)$/.test(verb.text) && local(source))
        run.delete(source, { traits: ['recursive'] });
      const command = parsed.value('--password-command');
      if (command) run.code('sh', command);
      const log = parsed.value('--log-file');
      if (log) run.write(log, { traits: ['append'] });
    },
  },
  {
    names: 'mc mcli',
    service: 'minio',
    flags:
      '--json --quiet --debug --insecure --force -r --recursive --dangerous --incomplete --overwrite --remove --watch -w --versions --bypass --fake --no-color --stdin --summarize --preserve -a',
    values:
      '-C --config-dir --older-than --newer-than --rewind --attr --encrypt-key --encrypt --exclude --tags --limit-upload --limit-download --name --region --expire-days -E',
    trial: '--fake',
    nouns: 'admin bucket user policy service group',
    delete:
      'rb, rm, mirror --remove, mirror, mv, undo, admin * remove, admin * rm, admin bucket *, admin user disable, admin policy unset, admin policy detach, admin service stop, admin service restart, admin decommission *, retention clear, legalhold clear, tag remove, ilm *rm, ilm rule remove, replicate rm, event remove, encrypt clear, version suspend, admin heal, admin rebalance start, batch cancel, lock, admin cluster *, admin config reset, idp * remove',
    grant:
      'policy set, policy set-json, anonymous set, anonymous set-json, share *, admin policy attach, admin policy set, admin policy add, admin policy create, admin user add, admin user enable, admin user svcacct *, admin group add, admin accesskey *',
    publish:
      'cp, put, pipe, mb, tag set, retention set, version enable, event add, ilm add, ilm rule add, ilm import, replicate add, encrypt set, cors set, batch start, quota set, admin config set, admin tier *, admin replicate *',
    secret: 'alias list, alias export, admin user info, admin config get, admin config export, license *, support *',
    login: 'alias set, alias remove, alias import',
    run: 'sql, watch',
    read: 'ls, cat, head, stat, find, du, diff, tree, ping, ready, policy list, policy get, anonymous list, anonymous get, anonymous links, admin info, admin * list, admin * ls, admin * info, admin trace, admin logs, admin prometheus *, version info, tag list, ilm ls, event list, replicate ls, retention info, od, update, get, version, admin top *',
    also: (run, operands) => {
      const [verb, ...rest] = operands;
      const target = rest.at(-1);
      if (!verb || !target || !/^(cp|mv|mirror|put|get)$/.test(verb.text)) return;
      // A path whose first part is no alias with a slash behind it is a file; `./` and `/` say so plainly.
      const isFile = (text: string): boolean => /^[./~]/.test(text) || !text.includes('/');
      for (const source of rest.slice(0, -1)) if (isFile(source.text)) run.read(source, { traits: ['recursive'] });
      if (isFile(target.text)) run.write(target, { traits: ['recursive', 'download'] });
    },
  },
  {
    names: 's3cmd s4cmd s5cmd',
    service: 's3',
    host: 'amazonaws.com',
    flags: '-r --recursive -f --force -n --dry-run --delete-removed --acl-public --acl-private -P --delete',
    values:
      '-c --config --access_key --secret_key --region --host --host-bucket --exclude --include -m --mime-type --endpoint-url --profile',
    trial: '-n',
    delete:
      'del, rm, rb, mv, sync --delete-removed, sync --delete, multipart *, abortmp, delpolicy, dellifecycle, delcors, expire',
    grant: 'setacl, setpolicy, put --acl-public, sync --acl-public, signurl, presign',
    publish: 'put, sync, cp, mb, modify, ws-create, setlifecycle, pipe, cfcreate, cfmodify, setcors, restore',
    read: 'ls, la, du, info, get, cat, head, accesslog, ws-info, cflist, cfinfo, version, select, bucket-version',
    also: (run, operands, parsed) => {
      const [verb, ...rest] = operands;
      const target = rest.at(-1);
      if (verb && target && /^(put|get|sync|cp|mv)$/.test(verb.text)) {
        for (const source of rest.slice(0, -1))
          if (!/^s3:/.test(source.text)) run.read(source, { traits: ['recursive'] });
        if (!/^s3:/.test(target.text) && rest.length > 1) {
          run.write(target, { traits: ['recursive', 'download'] });
          if (parsed.has('--delete-removed', '--delete'))
            run.delete(target, { traits: ['recursive', 'mass'], certainty: 'pattern' });
        }
      }
    },
  },
  {
    names:
      'duplicity duplicati-cli kopia bacula-console bconsole rsnapshot rdiff-backup tarsnap proxmox-backup-client pgbackrest barman wal-g wal-e xtrabackup mariabackup mongodump-oplog',
    flags: '--force --dry-run -n',
    values: '--config --config-file --stanza --archives -f --keyfile --server-name',
    trial: '-n',
    delete:
      'remove-*, cleanup, delete, * delete, snapshot delete, snapshot expire, policy remove, forget, prune, expire, stanza-delete, restore, recover, -d, nuke, delete *, --delete, maintenance run, --remove-older-than',
    publish:
      'backup, full, incr, incremental, create, snapshot create, repository create, backup-push, -c, stanza-create',
    read: 'list, list-*, status, verify, collection-status, info, show, show-*, snapshot list, check, backup-list, repository status, list-backups',
    otherwise: 'change',
  },
  {
    names: 'tmutil',
    service: 'time-machine',
    delete:
      'delete, deletelocalsnapshots, thinlocalsnapshots, removedestination, disable, stopbackup, restore, addexclusion, deleteinprogress, disablelocal',
    change: 'startbackup, enable, setdestination, localsnapshot, removeexclusion, inheritbackup, associatedisk',
    read: 'listbackups, latestbackup, status, destinationinfo, isexcluded, compare, listlocalsnapshots, calculatedrift, uniquesize, version, machinedirectory, listlocalsnapshotdates',
  },
];

export const backupPrograms = BACKUPS.flatMap((spec) => serviceRows(spec));
