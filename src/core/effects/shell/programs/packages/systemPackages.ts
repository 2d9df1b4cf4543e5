import type { ProgramEntry, Run } from '../../run.js';
import { exactWord } from '../../word.js';
import { sayDeed } from '../cloud/service.js';
import { argumentsOf, isHelpOnly, rows, withText } from '../helpers.js';
import { parseOptions } from '../options.js';
import { restoresPackages } from './scripts.js';

/** A package manager as data: which words install, remove, renew the lists, and run or publish. */
interface PackageManager {
  readonly names: string;
  readonly ecosystem: string;
  readonly installs: RegExp;
  readonly removes: RegExp;
  /** Renews lists of packages: network alone. */
  readonly refreshes: RegExp;
  readonly reads: RegExp;
  readonly values?: string;
  readonly trial?: RegExp;
  /** Verbs are options: `pacman -S`, `rpm -i`. */
  readonly byOption?: boolean;
  /** Adds a source that packages come from later. */
  readonly sources?: RegExp;
  /** Every word is such a source, without a verb. */
  readonly isSource?: boolean;
  /** Runs a command or service. */
  readonly runs?: RegExp;
  /** Hands out what the project made. */
  readonly publishes?: RegExp;
  /** Stands before the verb: `flutter pub add`. */
  readonly group?: RegExp;
  /** Without names an install fetches what a lock file or manifest of the project names, from there. */
  readonly restores?: string;
  /** A first word that is no verb is a package: `cpanm Moose`. */
  readonly isInstaller?: boolean;
}

/** Sources: the managers' man pages and references. */
const MANAGERS: readonly PackageManager[] = [
  {
    names: 'apt|apt-get aptitude nala',
    ecosystem: 'deb',
    installs: /^(install|reinstall|upgrade|dist-upgrade|full-upgrade|safe-upgrade|build-dep|satisfy|forbid-version)$/,
    removes: /^(remove|purge|autoremove|autopurge|markauto)$/,
    refreshes: /^(update|download|source)$/,
    reads:
      /^(list|search|show|policy|depends|rdepends|changelog|check|showsrc|moo|clean|autoclean|auto-clean|distclean|indextargets|versions|why|history|indextargets)$/,
    values: '-o --option -t --target-release -c --config-file -q0',
    trial: /^(-s|--simulate|--just-print|--dry-run|--recon|--no-act)$/,
    sources: /^(edit-sources|add-repository)$/,
  },
  {
    names: 'apt-cache apt-mark apt-file apt-listchanges dpkg-query apt-config apt-show-versions',
    ecosystem: 'deb',
    installs: /^(hold|unhold|manual)$/,
    removes: /^$/,
    refreshes: /^update$/,
    reads: /./,
  },
  {
    names: 'apt-key add-apt-repository',
    ecosystem: 'deb',
    installs: /^$/,
    removes: /^(del)$/,
    refreshes: /^$/,
    reads: /^(list|finger|exportall|-l|--list)$/,
    sources: /./,
    isSource: true,
  },
  {
    names: 'dpkg',
    ecosystem: 'deb',
    byOption: true,
    installs: /^(-i|--install|--unpack|--configure|-A|--set-selections|--add-architecture)$/,
    removes: /^(-r|--remove|-P|--purge|--clear-selections|--remove-architecture)$/,
    refreshes: /^$/,
    reads:
      /^(-l|--list|-L|--listfiles|-S|--search|-s|--status|-p|--print-avail|--get-selections|-c|--contents|-I|--info|-V|--verify|--print-architecture|--audit|-C|-W|--compare-versions|--print-foreign-architectures|-x|-e)$/,
  },
  {
    names: 'dnf|yum|microdnf|dnf5|tdnf zypper',
    ecosystem: 'rpm',
    installs:
      /^(install|in|reinstall|upgrade|update|up|dup|dist-upgrade|distro-sync|localinstall|groupinstall|group|builddep|downgrade|swap|patch|offline-upgrade|system-upgrade|module|source-install|si)$/,
    removes: /^(remove|erase|rm|autoremove|groupremove|removerepo|rr|history)$/,
    refreshes: /^(makecache|check-update|refresh|ref|download|list-updates|lu)$/,
    reads:
      /^(list|search|se|info|if|provides|whatprovides|repolist|repos|lr|repoquery|deplist|clean|updateinfo|patches|packages|pa|services|search-packages|what-provides|wp|repoinfo|alias|help|check)$/,
    values: '-c -x --enablerepo --disablerepo --releasever --setopt --installroot -t',
    trial: /^(--assumeno|--downloadonly|-D|--dry-run)$/,
    sources: /^(config-manager|copr|addrepo|ar|modifyrepo|mr)$/,
  },
  {
    names: 'rpm',
    ecosystem: 'rpm',
    byOption: true,
    installs: /^(-i|--install|-U|--upgrade|-F|--freshen|-[iUF][vh]+|--import|--initdb|--rebuilddb)$/,
    removes: /^(-e|--erase|-ev+)$/,
    refreshes: /^$/,
    reads: /^(-q\w*|--query|-V\w*|--verify|--checksig|-K|--eval|--showrc)$/,
    trial: /^--test$/,
  },
  {
    names: 'pacman yay paru pamac trizen',
    ecosystem: 'arch',
    byOption: true,
    installs: /^(-S([uyw]*)|-S\w*u\w*|-U\w*|install|upgrade|--sync|--upgrade|build)$/,
    removes: /^(-R\w*|--remove|remove)$/,
    refreshes: /^(-Sy+|-Fy*|-Sw)$/,
    reads:
      /^(-Q\w*|-Ss\w*|-Si\w*|-Sl\w*|-Sg\w*|-Sc+|-T|-D\w*|-F\w*|-V|search|info|list|-Gp?|-Ps|checkupdates|--query)$/,
    trial: /^(-p|--print|--sysupgrade-print)$/,
  },
  {
    names: 'apk',
    ecosystem: 'apk',
    installs: /^(add|upgrade|fix)$/,
    removes: /^(del)$/,
    refreshes: /^(update|fetch|cache)$/,
    reads: /^(info|search|list|policy|stats|version|dot|audit|verify|index|manifest|adbdump)$/,
    values: '-X --repository -p --root -t --virtual --arch --keys-dir --cache-dir',
    trial: /^(-s|--simulate)$/,
  },
  {
    names: 'brew linuxbrew',
    ecosystem: 'brew',
    installs: /^(install|reinstall|upgrade|bundle|link|ln|postinstall|cask|switch|extract|update-reset|developer)$/,
    removes: /^(uninstall|remove|rm|autoremove|unlink|untap|zap)$/,
    refreshes: /^(update|fetch|up)$/,
    reads:
      /^(list|ls|info|abv|search|outdated|deps|uses|doctor|dr|config|leaves|desc|home|log|cat|cleanup|commands|help|options|--prefix|--cellar|--version|--repository|--cache|--caskroom|--env|missing|formulae|casks|analytics|pin|unpin|audit|style|livecheck|readall|shellenv|which-formula|tap-info|docs|edit|gist-logs|create|test)$/,
    sources: /^(tap|tap-new)$/,
    runs: /^(services|sh|exec|ruby|irb)$/,
    trial: /^(--dry-run|-n)$/,
  },
  {
    names: 'port',
    ecosystem: 'macports',
    installs: /^(install|upgrade|activate)$/,
    removes: /^(uninstall|deactivate|clean|reclaim)$/,
    refreshes: /^(selfupdate|sync|fetch)$/,
    reads: /^(list|search|info|installed|outdated|contents|provides|deps|variants|echo|notes)$/,
  },
  {
    names: 'snap',
    ecosystem: 'snap',
    installs: /^(install|refresh|revert|enable|switch|alias|try|connect|set|restore|download)$/,
    removes: /^(remove|disable|unalias|disconnect|unset|forget)$/,
    refreshes: /^(ack)$/,
    reads:
      /^(list|find|info|interfaces|connections|services|logs|changes|tasks|version|warnings|whoami|get|aliases|known|model|saved|watch|debug|help|recovery)$/,
    runs: /^(run|start|stop|restart|shell)$/,
  },
  {
    names: 'flatpak',
    ecosystem: 'flatpak',
    installs: /^(install|update|upgrade|override|mask|pin)$/,
    removes: /^(uninstall|remove|repair|kill|remote-delete|permission-reset|permission-remove)$/,
    refreshes: /^(remote-ls)$/,
    reads:
      /^(list|info|search|history|remotes|remote-info|config|permissions|documents|ps|permission-show|permission-list|document-list)$/,
    sources: /^(remote-add|remote-modify)$/,
    runs: /^(run|enter|spawn)$/,
  },
  {
    names: 'choco|chocolatey|cinst|cuninst',
    ecosystem: 'choco',
    installs: /^(install|upgrade|update|pin|push)$/,
    removes: /^(uninstall)$/,
    refreshes: /^$/,
    reads: /^(list|search|find|info|outdated|config|feature|features|help|version|export|cache|template)$/,
    sources: /^(source|sources|apikey|setapikey)$/,
    trial: /^(--noop|--what-if|--whatif|-w)$/,
    values: '-s --source --version -n --params --package-parameters --install-arguments',
  },
  {
    names: 'winget',
    ecosystem: 'winget',
    installs: /^(install|add|upgrade|update|import|configure|repair|download)$/,
    removes: /^(uninstall|remove|rm)$/,
    refreshes: /^$/,
    reads: /^(list|ls|search|find|show|view|export|hash|validate|settings|features|pin|dscv3|error|--info)$/,
    sources: /^(source)$/,
    values:
      '-s --source --id --name -v --version -m --manifest -l --location -o --log --scope --architecture -q --query',
  },
  {
    names: 'scoop',
    ecosystem: 'scoop',
    installs: /^(install|update|reset|import|hold|unhold)$/,
    removes: /^(uninstall|cleanup|cache)$/,
    refreshes: /^(download)$/,
    reads: /^(list|search|info|status|which|home|prefix|cat|checkup|depends|export|help|config|virustotal)$/,
    sources: /^(bucket)$/,
  },
  {
    names: 'nix-env nix-channel nix-build nix-instantiate nix-collect-garbage nix-store nix-hash',
    ecosystem: 'nix',
    byOption: true,
    installs:
      /^(-i\w*|--install|-u|--upgrade|--update|-U|--set|-r|--realise|--add|--import|--rollback|-G|--switch-generation|-A|--attr)$/,
    removes: /^(-e|--uninstall|--delete|--gc|-d|--delete-old|--delete-generations|--remove|--delete-older-than)$/,
    refreshes: /^$/,
    reads: /^(-q\w*|--query|--list|--list-generations|--verify|--dump|-V|--flat|--base32|--eval)$/,
    sources: /^--add$/,
  },
  {
    names: 'emerge equery eix portageq',
    ecosystem: 'gentoo',
    byOption: true,
    installs: /^(-[uDNaqvtkg1]*u[uDNaqvtkg1]*|-a|-v|-av|-1|--update|--oneshot|--config|[\w-]+\/[\w-]+)$/,
    removes: /^(-C|-c|--unmerge|--depclean|--prune|-P)$/,
    refreshes: /^(--sync|--fetchonly|-f)$/,
    reads: /^(-s|-S|--search|-p|--pretend|-pv|--info|list|belongs|files|uses|depends|meta)$/,
    trial: /^(-p|--pretend|-pv)$/,
  },
  {
    names:
      'pkg pkgin pkg_add pkg_delete pkg_info opkg xbps-install xbps-remove xbps-query eopkg urpmi swupd installp slackpkg tazpkg guix sbopkg ipkg cards',
    ecosystem: 'system',
    installs:
      /^(install|add|upgrade|update-all|bundle-add|os-install|-S\w*|-u\w*|-i|it|up|reconfigure|system|pull|package|[\w.+-]+)$/,
    removes: /^(delete|remove|deinstall|autoremove|bundle-remove|-R\w*|-o|-O|purge|rm|gc)$/,
    refreshes: /^(update|fetch|sync)$/,
    reads:
      /^(list|search|info|query|which|audit|version|stats|check|show|-l|-s|-Q|-a|describe|size|weather|lint|list-installed|files|--list-installed)$/,
    sources: /^(add-repo|repo)$/,
  },
  {
    names: 'softwareupdate',
    ecosystem: 'macos',
    byOption: true,
    installs: /^(-i|--install|-ia|-iaR|--fetch-full-installer|--install-rosetta|-d|--download|--background)$/,
    removes: /^(--reset-ignored|--clear-catalog)$/,
    refreshes: /^(-l|--list)$/,
    reads: /^(--history|--dump-state|--evaluate-products|--schedule|--product-types|-l|--list)$/,
    sources: /^(--set-catalog|--schedule)$/,
  },
  {
    names: 'mas',
    ecosystem: 'mac-app-store',
    installs: /^(install|upgrade|purchase|lucky|get)$/,
    removes: /^(uninstall|reset)$/,
    refreshes: /^$/,
    reads: /^(list|search|outdated|info|account|version|home|vendor|config)$/,
  },
  {
    names:
      'luarocks ppm raco nimble shards pub dart flutter pod carthage vcpkg conan pear pecl phive tlmgr rosdep jsr mint',
    ecosystem: 'library',
    group: /^(?:pub|pkg|trunk|global)$/,
    publishes: /^(?:publish|upload|push)$/,
    restores: 'packages.library',
    installs: /^(install|build-install|upgrade|update|add|bootstrap|global|make|-i|require|activate|setup)$/,
    removes: /^(remove|uninstall|purge|deintegrate|rm|deactivate)$/,
    refreshes: /^(fetch|outdated|repo|get|download|checkout)$/,
    reads:
      /^(list|search|show|info|doctor|version|config|doc|path|which|lint|lib|analyze|format|devices|me|deps|outdated|--version|inspect|graph|status|deps|check|env|help|contents|l|-l|cache|depend-info|spec|emulators|channel|logs|completion|clean|init|create|new|pack|test|run|build|compile|assemble|drive|exec|gen-l10n|attach|screenshot|symbolize|fix|migrate|generate|profile|source|export|remote)$/,
    sources: /^(repo|remote|source)$/,
    trial: /^(--dry-run|-n)$/,
  },
  {
    names: 'cpan cpanm cpanp',
    ecosystem: 'cpan',
    isInstaller: true,
    installs: /^(install|i|upgrade|notest|force)$/,
    removes: /^(uninstall|-U|--uninstall)$/,
    refreshes: /^$/,
    reads: /^(info|look|readme|dir|m|--info|--showdeps)$/,
    trial: /^(--info|--showdeps|-l|-D|-L|-a|-V|--self-contained-dry)$/,
    values: '-l --local-lib -L --local-lib-contained --mirror --from',
  },
  {
    names: 'pixi',
    ecosystem: 'conda',
    group: /^(?:global|self)$/,
    restores: 'conda.anaconda.org',
    installs: /^(add|install|i|update|upgrade|self-update|expose)$/,
    removes: /^(remove|rm|uninstall)$/,
    refreshes: /^(lock|search|fetch)$/,
    reads:
      /^(list|ls|info|tree|task|tasks|config|completion|init|workspace|project|build|clean|lint|format|why|search)$/,
    publishes: /^(upload|publish)$/,
    values: '-f --feature -e --environment --manifest-path -c --channel -p --platform --pypi',
    runs: /^(run|exec|x|shell)$/,
  },
];

const analyser =
  (manager: PackageManager) =>
  (run: Run): void => {
    const words = argumentsOf(run.invocation);
    if (isHelpOnly(words)) return;
    const { ecosystem } = manager;
    const parsed = parseOptions({ values: manager.values ?? '' }, words);
    const isTrial = manager.trial !== undefined && words.some(({ text }) => manager.trial?.test(text));
    const marks = manager.byOption ? words : parsed.operands;
    const isGrouped =
      marks.length > 1 && manager.group?.test(marks[0]?.text ?? '') === true && !marks[0]?.text.startsWith('-');
    const verb =
      marks
        .slice(isGrouped ? 1 : 0)
        .find(({ text }) =>
          manager.byOption ? text.startsWith('-') || manager.installs.test(text) || manager.removes.test(text) : true,
        )?.text ?? '';
    const required = words.flatMap((word) =>
      /^--(?:tool-)?requires?=./.test(word.text) ? [withText(word, word.text.replace(/^[^=]*=/, ''))] : [],
    );
    const names = [...(manager.byOption ? parsed.operands : parsed.operands.slice(isGrouped ? 2 : 1)), ...required];
    if (isTrial || verb === '') return;
    if (manager.publishes?.test(verb) === true) {
      sayDeed(run, 'publish', run.invocation.program, null, names[0] ?? null);
      return;
    }
    if (manager.reads.test(verb) && !(manager.removes.test(verb) || manager.refreshes.test(verb))) return;
    if (manager.refreshes.test(verb)) {
      run.network(exactWord(`https://packages.${ecosystem}`), { method: 'GET', traits: ['download', 'own-service'] });
    } else if (manager.removes.test(verb)) {
      for (const name of names.length > 0 ? names : [exactWord('*')])
        run.emit(
          'delete',
          { type: 'package', ecosystem, name: name.text, version: null },
          { certainty: name.certainty, reversible: 'no' },
        );
    } else if (manager.sources?.test(verb)) {
      if (/^(list|ls|export|)$/.test(names[0]?.text ?? (manager.byOption || manager.isSource ? 'x' : ''))) return;
      run.emit(
        'persist',
        { type: 'package', ecosystem, name: `source ${names.map(({ text }) => text).join(' ')}`.trim(), version: null },
        { traits: ['grants-access'], reversible: 'no', note: 'packages come from there from now on' },
      );
    } else if (manager.runs?.test(verb)) {
      const action = names[0]?.text ?? '';
      if (verb === 'services' && /^(list|info|)$/.test(action)) return;
      if (verb === 'services' && /^(?:start|restart)$/.test(action))
        run.emit(
          'persist',
          { type: 'process', process: names.at(-1)?.text ?? '' },
          { reversible: 'checkpoint', note: 'runs at every login from now on' },
        );
      if (/^(stop|kill|cleanup)$/.test(action) || verb === 'stop')
        run.emit('kill', { type: 'process', process: names.at(-1)?.text ?? '' }, { reversible: 'yes' });
      else
        run.emit(
          'execute',
          { type: 'process', process: names.map(({ text }) => text).join(' ') },
          { traits: ['daemon'] },
        );
    } else if (manager.isInstaller && !manager.installs.test(verb)) {
      for (const name of parsed.operands) run.install(ecosystem, name);
    } else if (manager.restores !== undefined && names.length === 0 && /^(?:install|i|bootstrap|get)$/.test(verb)) {
      restoresPackages(run, manager.restores, '', `${run.invocation.program} ${verb}`, undefined);
    } else if (manager.installs.test(verb)) {
      for (const name of names.length > 0 ? names : [exactWord('*')]) {
        if (/^(https?|ftp):\/\//.test(name.text)) run.network(name, { method: 'GET', traits: ['download'] });
        run.install(ecosystem, name);
      }
    } else run.unknown(`sub-command ${verb} of ${run.invocation.program}`);
  };

/** `nix run`, `nix shell`, `nix-shell -p x --run y`: packages that are fetched and run at once. */
function nix(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const { program } = run.invocation;
  const parsed = parseOptions(
    {
      flags: '--pure --impure -L --no-link --refresh --offline',
      values:
        '-p --packages --run --command -c -I -A --attr --arg --argstr --extra-experimental-features --option -E --expr -f --file --keep -j',
    },
    words,
  );
  // What follows is one text for nix-shell, and words for nix.
  const isShell = program === 'nix-shell';
  for (const command of isShell ? [...parsed.values('--run'), ...parsed.values('--command')] : [])
    run.code('sh', command);
  const at = isShell ? -1 : words.findIndex(({ text }) => /^(?:-c|--command)$/.test(text));
  if (at >= 0) run.carry(words.slice(at + 1));
  const [verb, ...rest] = program === 'nix-shell' ? [exactWord('shell'), ...parsed.operands] : parsed.operands;
  if (!verb) return;
  if (/^(run|shell|profile|develop|bundle)$/.test(verb.text)) {
    const inner = at < 0 ? [] : words.slice(at + 1);
    const names = [...rest.filter((word) => /[#:]/.test(word.text) && !inner.includes(word)), ...parsed.values('-p')];
    for (const name of names)
      if (!/^\.?#|^\.\//.test(name.text))
        run.install('nix', name, { traits: verb.text === 'run' ? ['remote-code'] : [] });
    run.emit('execute', { type: 'process', process: `nix ${verb.text}` }, { traits: ['unreviewed'] });
  } else if (
    /^(build|check|fmt|flake|eval|repl|log|search|show-config|config|doctor|derivation|hash|path-info|why-depends|registry|copy|print-dev-env|edit|store|key|realisation|upgrade-nix|daemon|help|config)$/.test(
      verb.text,
    )
  ) {
    if (/^(store|upgrade-nix)$/.test(verb.text) && /gc|delete/.test(rest[0]?.text ?? ''))
      run.emit('delete', { type: 'package', ecosystem: 'nix', name: 'store', version: null }, { traits: ['mass'] });
    else if (/^(build|flake|check|fmt)$/.test(verb.text))
      run.emit('execute', { type: 'process', process: `nix ${verb.text}` }, { traits: ['unreviewed'] });
  } else run.unknown(`sub-command ${verb.text} of nix`);
}

export const systemPackagePrograms: readonly ProgramEntry[] = [
  ...MANAGERS.flatMap((manager) => rows(manager.names, analyser(manager))),
  ...rows('nix nix-shell', nix),
];
