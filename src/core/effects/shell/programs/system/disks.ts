import type { Trait, Word } from '../../../effect.js';
import type { ProgramEntry, Run } from '../../run.js';
import { argumentsOf, isHelpOnly, joined, rows } from '../helpers.js';
import { parseOptions, type OptionSpec } from '../options.js';

const isDevice = ({ text }: Word): boolean => /^\/dev\/|^[a-z]:\\?$|^\\\\\.\\|^disk\d|^\/dev$/i.test(text);

/** What is on a disk or file system is overwritten or taken away. */
function ruin(run: Run, targets: readonly Word[], traits: readonly Trait[], note: string): void {
  for (const target of targets)
    run.delete(target, { traits: ['recursive', 'mass', ...traits], reversible: 'no', note });
  if (targets.length === 0)
    run.emit(
      'delete',
      { type: 'unknown', what: `disk of ${run.invocation.program}` },
      { traits: ['mass'], reversible: 'no', note },
    );
}

/** Words of programs that manage disks: those that only look. All other words change something. */
interface DiskTool {
  readonly names: string;
  /** Words or options with which it only looks. */
  readonly looks: RegExp;
  /** Whether it only looks where all of its options are such. */
  readonly only?: boolean;
  /** Needs no word to do harm: `mkfs /dev/sda`. */
  readonly byItself?: boolean;
}

/** Sources: util-linux 2.40, LVM2, cryptsetup 2.7, OpenZFS 2.2, btrfs-progs, mdadm, diskutil reference. */
const TOOLS: readonly DiskTool[] = [
  {
    names:
      'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.minix mkfs.msdos mke2fs mkswap mkdosfs newfs newfs_apfs newfs_hfs wipefs blkdiscard badblocks mformat gdisk cgdisk fdisk sfdisk cfdisk parted partprobe kpartx blockdev hdparm nvme sg_format dump restore xfsdump xfsrestore e2image partclone resize2fs xfs_growfs tune2fs e2fsck fsck fsck.ext4 fsck.fat xfs_repair ntfsfix debugfs fsfreeze fstrim losetup dmsetup sdelete',
    looks: /^(-l|--list|list|print|--print|id-ctrl|id-ns|smart-log|list-subsys|-I|--info|status)$/,
    byItself: true,
  },
  // Its options act in turn, so that one that looks says nothing of the others.
  { names: 'sgdisk', looks: /^(?:-p|--print|-v|--verify|-O|--print-mbr)$/, only: true, byItself: true },
  {
    names:
      'pvremove vgremove lvremove pvcreate vgcreate lvcreate vgreduce lvreduce lvresize vgextend lvextend pvmove pvresize vgchange lvchange vgrename lvrename vgsplit vgmerge vgexport vgimport lvconvert',
    looks: /^(--test|-t|--help)$/,
    byItself: true,
  },
  { names: 'pvs vgs lvs pvdisplay vgdisplay lvdisplay pvscan vgscan lvscan lvmdiskscan', looks: /./ },
  {
    names: 'cryptsetup veracrypt',
    looks: /^(--version|status|benchmark|isLuks|luksUUID)$/,
    byItself: true,
  },
  {
    names: 'zfs zpool',
    looks: /^(list|status|get|iostat|history|events|version|diff|holds|userspace|groupspace|-n)$/,
  },
  {
    names: 'btrfs',
    looks:
      /^(show|list|df|usage|du|status|stats|get|find-new|help|version|dump-super|dump-tree|get-default|min-dev-size)$/,
  },
  { names: 'mdadm', looks: /^(--detail|-D|--examine|-E|--query|-Q)$/ },
  {
    names: 'diskutil hdiutil',
    looks:
      /^(list|info|activity|listFilesystems|imageinfo|verifyDisk|verifyVolume|verify|checksum|plugins|pmap|udifderez)$/,
  },
  { names: 'swapoff swapon', looks: /^(--show|-s|--summary)$/, byItself: true },
];

const tool =
  ({ looks, byItself, only = false }: DiskTool) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words) || (words.length === 0 && !byItself)) return;
    // wipefs without an option that erases only shows what it finds.
    const onlyShows =
      run.invocation.program === 'wipefs' && !words.some(({ text }) => /^-\w*[at]|^--(?:all|types)/.test(text));
    const options = words.filter(({ text }) => text.startsWith('-'));
    const isLooking = only
      ? options.length > 0 && options.every(({ text }) => looks.test(text))
      : words.some(({ text }) => looks.test(text));
    if (onlyShows || isLooking) {
      run.emit('read', { type: 'process', process: run.invocation.program }, { reversible: 'yes' });
      return;
    }
    ruin(run, words.filter(isDevice), [], `${run.invocation.program} ${joined(words).text}`.slice(0, 120));
  };

/** Options of mount that choose or change how something is mounted, without naming it. Source: mount(8), util-linux 2.40. */
const MOUNT: OptionSpec = {
  flags:
    '-a|--all -c|--no-canonicalize -f|--fake -F|--fork -i|--internal-only -l|--show-labels -n|--no-mtab -r|--read-only -s -v|--verbose -w|--rw|--read-write -B|--bind -M|--move -R|--rbind',
  values: '-t|--types -o|--options -O|--test-opts -L|--label -U|--uuid -T|--fstab -N|--namespace --source --target',
  abbreviates: true,
};

/** Whether mount or kin only tells what is mounted: nothing is named, and not all of the table is asked for. */
function listsMounts(run: Run): boolean {
  const words = argumentsOf(run.invocation);
  if (run.invocation.program !== 'mount')
    return words.every(({ text }) => /^-/.test(text) && !/^-a|^--all$/.test(text));
  const parsed = parseOptions(MOUNT, words);
  return (
    parsed.operands.length === 0 &&
    parsed.unknown.length === 0 &&
    !parsed.has('-a', '-L', '-U', '-o', '--source', '--target')
  );
}

/** `mount`, `umount`: what lies where changes. */
function mount(run: Run): void {
  const words = argumentsOf(run.invocation);
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  if (isHelpOnly(words) || listsMounts(run)) return;
  run.emit(
    'privilege',
    { type: 'process', process: `${run.invocation.program} ${joined(operands).text}`.trim() },
    { note: 'changes what lies at a path' },
  );
  if (run.invocation.program === 'mount' && words.some(({ text }) => /remount/.test(text)))
    run.emit('write', { type: 'process', process: 'mounts' }, { reversible: 'no' });
}

export const diskPrograms: readonly ProgramEntry[] = [
  ...TOOLS.flatMap((one) => rows(one.names, tool(one))),
  ...rows('mount umount pmount udisksctl mount.cifs mount.nfs sshfs fusermount bindfs', mount),
  ...rows('lvm', (run) => {
    const [verb, ...rest] = argumentsOf(run.invocation);
    if (verb) run.carry([verb, ...rest]);
  }),
];
