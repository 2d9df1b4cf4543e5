/** A generator of bash lines for the differential test. The same seed gives the same lines. */
export class LineMaker {
  #state: number;

  /** `wide`: what is written seldom comes up too. */
  constructor(
    seed: number,
    readonly range: 'usual' | 'wide' = 'usual',
  ) {
    this.#state = seed >>> 0;
  }

  /** One line (or a few, joined by newlines) that is valid more often than not. */
  line(): string {
    return this.#list(3);
  }

  // Numbers and choices.

  /** mulberry32 */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }

  #some(makers: readonly (() => string)[]): string {
    return this.#pick(makers)();
  }

  // Words.

  /** Programs that do nothing on their own and that the box does not have, so that bash reports each call. */
  #program(): string {
    return this.#pick(['uptime', 'whoami', 'nproc', 'uname', 'groups', 'logname', 'arch', 'free', 'cal', 'tty']);
  }

  #name(): string {
    return this.#pick(['a', 'b', 'c', 'x', 'arr', 'm_1']);
  }

  /** A program's name, spelled in one of many ways. */
  #spelled(depth: number): string {
    const name = this.#program();
    const at = 1 + this.#below(name.length - 1);
    const [head, tail] = [name.slice(0, at), name.slice(at)];
    const hex = [...name].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join('');
    return this.#some([
      () => name,
      () => name,
      () => `"${name}"`,
      () => `'${name}'`,
      () => `\\${name}`,
      () => `${head}''${tail}`,
      () => `${head}"${tail}"`,
      () => `${head}\\\n${tail}`,
      () => `$'${hex}'`,
      () => `$"${name}"`,
      () => `\${unset_${this.#name()}}${name}`,
      () => `${head}\${unset_q:-${tail}}`,
      () => `{${name},-v}`,
      () => `${head}{${tail},}`,
      () => (depth > 0 ? `$(echo ${name})` : name),
      () => (depth > 0 ? `\`echo ${name}\`` : name),
      () => (depth > 0 ? `$(printf %s ${head} ${tail})` : name),
      () => `\${v_${name}:=${name}}`,
      () => `${head}$(:)${tail}`,
      () => `$@${name}`,
    ]);
  }

  #word(depth: number): string {
    return this.#some([
      () =>
        this.#pick([
          '1',
          '-n',
          '--all',
          'foo',
          '.',
          '#',
          'a#b',
          '=',
          'x=1',
          '{',
          '}',
          '!',
          'if',
          'do',
          '[',
          ']',
          '-',
          '--',
        ]),
      () => `"${this.#quoted(depth)}"`,
      () => `'${this.#pick(['a b', '$(nope)', '`nope`', '"', '# no', '\\', '; nope', ''])}'`,
      () => `$${this.#name()}`,
      () => `"$${this.#name()}"`,
      () => `\${${this.#name()}${this.#pick([':-', '-', ':+', '+', '#', '%', '//', '^^', ''])}}`,
      () => `\${#${this.#name()}}`,
      () => `\${${this.#name()}[@]}`,
      () => `"\${${this.#name()}[*]}"`,
      () => `{1..${1 + this.#below(3)}}`,
      () => `{a,${depth > 0 ? this.#word(depth - 1).replace(/\s/g, '') : 'b'}}`,
      () => `\\${this.#pick([' ', '$', '"', "'", '#', ';', '\\', '|'])}`,
      () => `$'${this.#pick(['a\\nb', "\\'", '\\x24(nope)', '\\\\'])}'`,
      () => (depth > 0 ? this.#substitution(depth - 1) : 'x'),
      () => (depth > 0 ? `\${${this.#name()}:-${this.#substitution(depth - 1)}}` : 'x'),
      () => (depth > 0 ? `\${${this.#name()}:+${this.#substitution(depth - 1)}}` : 'x'),
      () => (depth > 0 ? `$(( 1 + ${this.#pick(['2', '$(echo 1)', `$(${this.#program()})`, 'x'])} ))` : '$((1))'),
      () => (depth > 0 ? `<(${this.#list(depth - 1)})` : 'x'),
      () => '~',
    ]);
  }

  #quoted(depth: number): string {
    return this.#some([
      () =>
        this.#pick([
          '',
          'a b',
          "it's",
          '# no',
          '; nope',
          '\\"',
          '\\$(nope)',
          '\\`nope\\`',
          '{a,b}',
          '\\\\',
          '&& nope',
          '(',
        ]),
      () => `$${this.#name()}`,
      () => (depth > 0 ? `a ${this.#substitution(depth - 1)} b` : 'a'),
      () => (depth > 0 ? `\${${this.#name()}:-"${this.#quoted(depth - 1)}"}` : 'a'),
    ]);
  }

  #substitution(depth: number): string {
    return this.#some([
      () => `$(${this.#list(depth)})`,
      () => `$( ${this.#list(depth)} )`,
      () => `$(\n${this.#list(depth)}\n)`,
      () => `\`${this.#spelled(0).replace(/[`\\]/g, '')}\``,
      () => `\`${this.#program()} \\\`${this.#program()}\\\`\``,
      () => `"$(${this.#list(depth)})"`,
    ]);
  }

  // Commands.

  #assignment(depth: number): string {
    const value = this.#word(depth).replace(/^[({]/, 'v');
    return this.#some([
      () => `${this.#name()}=${value}`,
      () => `${this.#name()}+=${value}`,
      () => `${this.#name()}=`,
      () => `arr=(${this.#word(depth)} ${this.#word(depth)})`,
      () => `arr[1]=${value}`,
    ]);
  }

  #redirect(depth: number): string {
    return this.#some([
      () => `>f${this.#below(5)}`,
      () => `>> f${this.#below(5)}`,
      () => `2>/dev/null`,
      () => `2>&1`,
      () => `>|f1`,
      () => `&>f2`,
      () => `<>f3`,
      () => `3>f4`,
      () => `</dev/null`,
      () => `<<<"${this.#quoted(depth)}"`,
      () => `>"f${this.#below(5)}"`,
      () => `{fd}>f0`,
    ]);
  }

  #simple(depth: number): string {
    const parts: string[] = [];
    while (this.#next() < 0.2) parts.push(this.#assignment(depth).replace(/^arr.*$/s, 'a=1'));
    if (this.#next() < 0.1) parts.push(this.#redirect(depth));
    parts.push(this.#spelled(depth));
    while (this.#next() < 0.45) parts.push(this.#word(depth));
    if (this.#next() < 0.2) parts.push(this.#redirect(depth));
    if (this.#next() < 0.1) parts.push(this.#word(depth));
    return parts.join(this.#next() < 0.05 ? ' \\\n ' : ' ');
  }

  #carrier(depth: number): string {
    const inner = this.#simpleWords(depth);
    const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
    return this.#some([
      () => `env ${inner}`,
      () => `env A=1 B=2 ${inner}`,
      () => `command ${inner}`,
      () => `nohup ${inner}`,
      () => `nice -n 5 ${inner}`,
      () => `timeout 5 ${inner}`,
      () => `timeout -s KILL 5 ${inner}`,
      () => `sudo -u root ${inner}`,
      () => `stdbuf -oL ${inner}`,
      () => `xargs ${inner}`,
      () => `eval ${inner}`,
      () => `eval ${quoted(this.#list(depth))}`,
      () => `bash -c ${quoted(this.#list(depth))}`,
      () => `sh -ec ${quoted(this.#list(depth))} a b`,
      () => `bash <<'EOF'\n${this.#list(depth)}\nEOF\n`,
      () => `bash <<< ${quoted(this.#program())}`,
      () => `echo ${quoted(this.#program())} | sh`,
      () => `printf '%s\\n' ${this.#program()} ${this.#program()} | bash`,
      () => `source /dev/stdin <<< ${quoted(this.#program())}`,
      () => `trap ${quoted(this.#list(depth))} EXIT`,
      () => `exec ${inner}`,
      () => `time ${inner}`,
      () => `! ${inner}`,
      () => `coproc { ${this.#program()}; }`,
    ]);
  }

  #simpleWords(depth: number): string {
    return `${this.#spelled(depth)}${this.#next() < 0.4 ? ` ${this.#word(depth)}` : ''}`;
  }

  #compound(depth: number): string {
    const list = (): string => this.#list(depth - 1);
    const body = this.#some([
      () => `( ${list()} )`,
      () => `(${list()})`,
      () => `{ ${list()}; }`,
      () => `{\n${list()}\n}`,
      () => `if ${list()}; then ${list()}; fi`,
      () => `if ${list()}; then ${list()}; else ${list()}; fi`,
      () => `if false; then ${list()}; elif ${list()}; then ${list()}; fi`,
      () => `if [ ${this.#word(depth - 1)} ]; then ${list()}; fi`,
      () => `if [[ -n ${this.#word(depth - 1)} ]]\nthen ${list()}\nfi`,
      () => `for i in ${this.#word(depth - 1)} ${this.#word(depth - 1)}; do ${list()}; done`,
      () => `for i in 1 2; do $(echo ${this.#program()}) $i; done`,
      () => `for i; do ${list()}; done`,
      () => `for p in ${this.#program()} ${this.#program()}; do $p; done`,
      () => `for ((i = 0; i < 2; i++)); do ${list()}; done`,
      () => `while ${list()}; do ${list()}; break; done`,
      () => `until false; do ${list()}; break; done`,
      () => `while read -r v; do $v; done <<EOF\n${this.#program()}\n${this.#program()}\nEOF\n`,
      () => `case ${this.#word(depth - 1)} in a) ${list()};; *) ${list()};; esac`,
      () => `case x in x) ${list()};& y) ${list()};; esac`,
      () => `case x in (x|y) ${list()};;& *) ${list()} ;; esac`,
      () => `f() { ${list()}; }; f ${this.#word(depth - 1)}`,
      () => `function g { ${list()}; }\ng`,
      () => `h() ( ${list()} )\nh`,
      () => `f() { "$@"; }; f ${this.#program()} 1`,
      () => `k() { $1; }; k ${this.#program()}`,
      () => `[[ ${this.#word(depth - 1)} == "$(${list()})" ]]`,
      () => `(( x = 1 + $(${this.#program()}) ))`,
      () => `set -- ${this.#program()} b; "$1"; shift; $1x`,
      () => `${this.#name()}=${this.#program()}; $${this.#pick(['a', 'b', 'c', 'x'])}`,
      () => `x=${this.#program()}; y=x; \${!y}`,
      () => `x=AA${this.#program()}; \${x#AA}; \${x/AA/}; \${x:2}`,
      () => `arr=(${this.#program()} ${this.#program()}); "\${arr[1]}"; \${arr[@]:0:1}`,
      () => `cat <<EOF\n$(${this.#program()}) \${a:-$(${this.#program()})} \\$(nope)\nEOF\n`,
      () => `cat <<'EOF'\n$(nope) \`nope\`\nEOF\n`,
      () => `cat <<-EOF\n\t$(${this.#program()})\n\tEOF\n`,
      () => `cat <<EOF | ${this.#program()} && ${this.#program()}\nx\nEOF\n`,
      () => `IFS=:; p=${this.#program()}:1; $p`,
      () => `shopt -s expand_aliases\nalias z='${this.#program()} 1'\nz 2`,
      () => `export P=${this.#program()}; bash -c '$P'`,
      () => `P=${this.#program()} bash -c '"$P"'`,
      () => `printf -v q %s ${this.#program()}; $q`,
      () => `read -r q <<< ${this.#program()}; "$q"`,
      () => `local_test() { local v=${this.#program()}; $v; }; local_test`,
      () => `declare d=${this.#program()}; $d`,
      () => `# ${this.#pick(['nope', '$(nope)', "it's", '"'])}\n${this.#program()}`,
      ...(this.range === 'wide' ? [() => this.#odd(depth), () => this.#odd(depth), () => this.#odd(depth)] : []),
    ]);
    return this.#next() < 0.15 ? `${body} ${this.#redirect(0)}`.replace(/\n ([^\n]*)$/, '\n') : body;
  }

  /** What is written seldom, and runs something all the same. */
  #odd(depth: number): string {
    const program = this.#program();
    const list = (): string => this.#list(depth - 1);
    const name = this.#name();
    return this.#some([
      () => `arr=(${program}); arr+=(${this.#program()}); \${arr[-1]}; "\${arr[@]: -1}"`,
      () => `declare -A m_1=([k]=${program} [l]=x); \${m_1[k]}`,
      () => `declare -a arr=([2]=${program}); \${arr[2]}; \${arr[*]}`,
      () => `mapfile -t arr <<< ${program}; "\${arr[0]}"`,
      () => `readarray -t arr < <(echo ${program}); \${arr[0]}`,
      () => `read -ra arr <<< "x ${program}"; "\${arr[1]}"`,
      () => `IFS=, read -r a b <<< "x,${program}"; $b`,
      () => `while IFS=: read -r a b; do $b; done <<< "x:${program}"`,
      () => `echo ${program} | while read -r v; do $v; done`,
      () => `echo x > >(${program})`,
      () => `: <(${program}) >(${this.#program()})`,
      () => `source <(echo ${program})`,
      () => `. <(printf '%s\\n' ${program})`,
      () => `trap ${program} ERR; false`,
      () => `trap ${program} DEBUG; :`,
      () => `trap '${program} 1' EXIT HUP`,
      () => `trap ${program} USR1; kill -USR1 $BASHPID`,
      () => `exec 4>f4; ${program}; exec 4>&-`,
      () => `exec {fd}>f2; ${program}`,
      () => `exec -a x ${program}`,
      () => `( exec > f1; ${program} )`,
      () => `coproc X_1 { ${program}; }; wait`,
      () => `coproc ${program}`,
      () => `(( ${name} = $(${program}; echo 1) ))`,
      () => `let "${name} = $(${program}) 1"`,
      () => `a=(1 2); a[$(${program}; echo 0)]=x`,
      () => `echo "\${arr[$(${program}; echo 0)]}"`,
      () => `: $(( arr[$(${program}; echo 0)] ))`,
      () => `(( x = 'arr[$(${program})]' ))`,
      () => `i='arr[$(${program})]'; : $(( i ))`,
      () => `[[ -v 'arr[$(${program})]' ]]`,
      () => `test -v 'arr[$(${program})]'`,
      () => `unset 'arr[$(${program})]'`,
      () => `printf -v 'arr[$(${program})]' x`,
      () => `[[ 'arr[$(${program})]' -eq 0 ]]`,
      () => `declare -n r_1=x; x=${program}; $r_1`,
      () => `x='$(${program})'; echo "\${x@P}"`,
      () => `PS4='$(${program})'; set -x; :`,
      () => `f() { ${list()}; }; export -f f; bash -c f`,
      () => `f() { ${program}; }; f() { ${this.#program()}; }; f`,
      () => `f() { g() { ${program}; }; }; f; g`,
      () => `f() { eval "$1"; }; f '${program} 1'`,
      () => `f() { local IFS=:; $1; }; f x:y; f ${program}:1`,
      () => `f() { shift; "$@"; }; f x ${program}`,
      () => `f() { set -- ${program}; "$1"; }; f`,
      () => `f() { return 1; ${program}; }; f || ${this.#program()}`,
      () => `echo() { ${program}; }; echo x`,
      () => `cd() { ${program}; }; cd x`,
      () => `shopt -s expand_aliases\nalias e='echo ' w='${program}'\ne w; w`,
      () => `shopt -s expand_aliases\nalias y='${program};'\ny ${this.#program()}`,
      () => `shopt -s expand_aliases\nalias u='v 1' v='${program}'\nu; \\u`,
      () => `shopt -s expand_aliases\nalias z=${program}; unalias z\nz`,
      () => `mkdir_=1; pushd . > f0; ${program} > f1; popd`,
      () => `CDPATH=/; cd tmp; ${program}`,
      () => `cd /; ${program} > /dev/null; cd - > f3`,
      () => `command -p ${program}; builtin eval ${program}`,
      () => `builtin source /dev/stdin <<< ${program}`,
      () => `hash -p /nowhere/${this.#program()} ${program}; ${program}`,
      () => `enable -n echo; echo ${program} || ${this.#program()}`,
      () => `mapfile -C ${program} -c 1 arr <<< x`,
      () => `compgen -C ${program} x`,
      () => `eval "$(echo ${program})"; eval "$(printf '%s;' ${program} ${this.#program()})"`,
      () => `eval eval ${program}; eval "eval '${program} 1'"`,
      () => `printf '%b' '\\x${program.charCodeAt(0).toString(16)}${program.slice(1)}' | bash`,
      () => `echo -e '${program}\\n${this.#program()}' | sh`,
      () => `echo ${[...program].reverse().join('')} | x=1 bash -c 'read v; ${this.#program()}'`,
      () => `bash -c '"$0" "$@"' ${program} 1`,
      () => `bash -c 'eval "$1"' x '${program} 1'`,
      () => `sh -c '$1 "$2"' x ${program} y`,
      () => `echo '${program} "$1"' | bash -s x`,
      () => `bash <<EOF\n$(echo ${program})\n\\$(echo ${this.#program()})\nEOF\n`,
      () => `cat <<EOF | bash\n${program}\nEOF\n`,
      () => `bash < <(echo ${program})`,
      () => `case $(echo ${program}) in ${program[0] ?? 'a'}*) ${list()};; esac`,
      () => `case \${${name}:-q} in q) ${program};; *) ${list()};; esac`,
      () => `select v in ${program}; do $v; break; done <<< 1`,
      () => `for v in $(echo ${program} ${this.#program()}); do "$v" & done; wait`,
      () => `for v in {${program},${this.#program()}}; do $v; done`,
      () => `set -- ${program} x; for v; do $v; break; done`,
      () => `set -- x ${program}; shift; $*; "$@"; \${@:1}`,
      () => `${name}=${program}; unset ${name}; $${name} ; \${${name}:-${program}}`,
      () => `${name}=; \${${name}:-${program}} 1; \${${name}-nope}`,
      () => `x=${program}x; \${x%x}; \${x%%x*}; \${x:0:${String(program.length)}}`,
      () => `x=${program.toUpperCase()}; \${x,,}; "\${x@L}"`,
      () => `x=-${program}; \${x/#-/}; \${x//-}`,
      () => `a=${program.slice(0, 2)}; b=${program.slice(2)}; $a$b; "\${a}\${b}"`,
      () => `{ ${program}; ${this.#program()}; } > f2 2>&1`,
      () => `if ! ${program}; then ${list()}; fi < /dev/null`,
      () => `until ${program}; do ${list()}; break; done >> f3`,
      () => `! { ${program} && ${this.#program()}; } || (${list()})`,
      () => `time -p { ${program}; }`,
      () => `wait $(${program}); test "$(${this.#program()})"`,
      () => `export v=$(${program}); readonly w_1="$(${this.#program()})"; local_=1`,
      () => `v=$(<f0) ${program} <<< "$(${this.#program()})"`,
      () => `: \${v:=$(${program})} "\${u_1:?$(${this.#program()})}"`,
      () => `echo $'\\x24(nope)' "\${x/$(${program})/y}" \${x:$(${this.#program()} || echo 0)}`,
    ]);
  }

  #command(depth: number): string {
    const roll = this.#next();
    if (depth <= 0 || roll < 0.5) return this.#simple(depth - 1);
    if (roll < 0.7) return this.#carrier(depth - 1);
    if (roll < 0.75) return this.#assignment(depth - 1);
    return this.#compound(depth);
  }

  #list(depth: number): string {
    let line = this.#command(depth);
    while (this.#next() < 0.3) {
      const isEnded = line.endsWith('\n');
      const operator = isEnded
        ? ''
        : this.#pick(['; ', ' && ', ' || ', ' | ', ' |& ', '\n', ' & ', ' &&\n', ' |\n', ';\n']);
      line += operator + this.#command(depth - 1);
    }
    return line;
  }
}
