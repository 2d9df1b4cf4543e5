import type { Word } from '../../effect.js';
import type { ProgramEntry, Run } from '../run.js';
import { argumentsOf, isHelpOnly, rows, runsThroughOption, withText } from './helpers.js';
import { parseOptions } from './options.js';

const isAddress = (text: string): boolean =>
  /^(?:https?|ftps?|rtmps?|rtsps?|tcp|udp|srt|sftp|rist|tls|icecast|gopher|smb):\/\//i.test(text);

/** Something that comes in: a file, or an address that it is fetched from. */
function comesIn(run: Run, word: Word): void {
  if (isAddress(word.text)) run.network(word, { method: 'GET', traits: ['download'] });
  else if (!/^-$|^(?:pipe|fd):/.test(word.text))
    run.read(/^file:/i.test(word.text) ? withText(word, word.text.replace(/^file:(?:\/\/)?/i, '')) : word);
}

/** Something that goes out: a file, or an address that it is sent to. */
function goesOut(run: Run, word: Word): void {
  if (isAddress(word.text)) run.network(word, { method: 'POST', traits: ['upload', 'outward'] });
  else if (!/^-$|^(?:pipe|fd):|^\/dev\/(?:null|stdout)$/.test(word.text))
    run.write(/^file:/i.test(word.text) ? withText(word, word.text.replace(/^file:(?:\/\/)?/i, '')) : word);
}

/** Inputs of ffmpeg that name others: `concat:a|b`, `subfile,,…,:a`, `crypto:a`. Source: ffmpeg-protocols(1) 7.1. */
function ffmpegInput(run: Run, word: Word): void {
  const [, , rest = ''] = /^(concat|crypto|cache|async|subfile|hls\+?\w*|applehttp)[:,](.*)$/is.exec(word.text) ?? [];
  if (rest === '' || isAddress(word.text)) comesIn(run, word);
  else
    for (const part of rest.replace(/^(?:,[^:]*)+:/, '').split('|'))
      if (part !== '') comesIn(run, withText(word, part));
}

/** `ffmpeg -i in … out`: of the words, those that follow no option are outputs. */
function ffmpeg(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions({ style: 'single', flags: FFMPEG_FLAGS, values: FFMPEG_VALUES }, words);
  for (const file of parsed.values('-i')) ffmpegInput(run, file);
  const devices = parsed.values('-f').map(({ text }) => text);
  if (devices.some((name) => /^(?:x11grab|avfoundation|gdigrab|kmsgrab|pulse|alsa|v4l2|dshow)$/.test(name)))
    run.emit('read', { type: 'environment', name: 'screen, camera or microphone' }, { traits: ['personal'] });
  // What an option that is not listed takes along is one more operand; the last one is the output.
  for (const file of devices.includes('null') ? [] : parsed.operands.slice(-1)) goesOut(run, file);
}

const FFMPEG_FLAGS =
  '-y -n -hide_banner -nostdin -nostats -stats -vn -an -sn -dn -shortest -re -copyts -bitexact -report -benchmark -autorotate -noautorotate -xerror -ignore_unknown';
const FFMPEG_VALUES =
  '-i -f -c -codec -c:v -c:a -c:s -vcodec -acodec -b:v -b:a -ab -ss -to -t -r -s -vf -af -filter_complex -filter:v -filter:a -lavfi -map -metadata -crf -preset -tune -pix_fmt -movflags -frames:v -vframes -ar -ac -q:v -q:a -qscale:v -loglevel -v -threads -safe -protocol_whitelist -stream_loop -loop -framerate -hls_time -hls_list_size -hls_segment_filename -segment_time -aspect -g -bf -maxrate -bufsize -profile:v -level -x264-params -disposition -itsoffset -progress -passlogfile -pass -vsync -fps_mode -tag:v -attach -hwaccel';

/** Prefixes of ImageMagick that name a reader or writer and not a file. */
const CODER = /^([A-Za-z][\w-]+):(.*)$/s;

/** `convert in… out`, `magick in… out`. Source: ImageMagick 7, "Command-line processing" and its list of formats. */
function magick(run: Run): void {
  const all = argumentsOf(run.invocation);
  if (isHelpOnly(all)) return;
  const [first] = all;
  const words =
    run.invocation.program === 'magick' &&
    /^(?:convert|identify|mogrify|composite|montage|compare|import|stream)$/.test(first?.text ?? '')
      ? all.slice(1)
      : all;
  const tool = words === all ? run.invocation.program : (first?.text ?? '');
  const files = words.filter(({ text }) => !/^[-+]/.test(text) && /[/:@*]|\.[A-Za-z]\w{0,4}$/.test(text));
  const target = words.at(-1);
  const isMogrify = tool === 'mogrify';
  const writesLast = !isMogrify && !/^(?:identify|display)$/.test(tool);
  for (const word of new Set([...files, ...(writesLast && target ? [target] : [])])) {
    const [, coder = '', name = word.text] = isAddress(word.text) ? [] : (CODER.exec(word.text) ?? []);
    const file = withText(word, name);
    const atFile = /^@(.+)$/.exec(name)?.[1];
    if (writesLast && word === target) {
      if (!/^(?:null|show|win|x|info|txt|-)$/i.test(coder) && name !== '' && name !== '-') goesOut(run, file);
      continue;
    }
    if (atFile !== undefined) run.read(withText(word, atFile));
    else if (
      /^(?:label|caption|xc|canvas|gradient|plasma|pattern|rose|logo|null|radial-gradient|hald|fractal)$/i.test(coder)
    )
      continue;
    else if (/^(?:msl|mvg|svg)$/i.test(coder) && !isAddress(name)) {
      run.read(file);
      run.unknown(`a script of ImageMagick, ${name}`);
    } else if (/^ephemeral$/i.test(coder)) {
      run.read(file);
      run.delete(file, { traits: ['recursive'] });
    } else comesIn(run, isAddress(word.text) ? word : file);
    if (isMogrify && coder === '' && !words.some(({ text }) => text === '-path'))
      run.write(file, { traits: ['overwrite'] });
  }
  const at = words.findIndex(({ text }) => text === '-path');
  const folder = isMogrify && at >= 0 ? words[at + 1] : undefined;
  if (folder) run.write(folder, { makes: 'folder', content: 'kept' });
  const written = words.findIndex(({ text }) => /^[-+]write$/.test(text));
  const also = written >= 0 ? words[written + 1] : undefined;
  if (also) goesOut(run, also);
}

/** Source: Ghostscript 10.05, "How to Use Ghostscript". */
function ghostscript(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  for (const [index, word] of words.entries()) {
    const output =
      /^(?:-sOutputFile=|-o)(.+)$/s.exec(word.text)?.[1] ?? (word.text === '-o' ? words[index + 1]?.text : undefined);
    const pipe = /^%pipe%(.*)$/s.exec(output ?? '')?.[1];
    if (pipe !== undefined) {
      runsThroughOption(run, withText(word, pipe), '-sOutputFile');
      run.code('sh', withText(word, pipe));
    } else if (output !== undefined && !/^(?:-|%stdout)$/.test(output)) run.write(withText(word, output));
    else if (/^-dNOSAFER$/.test(word.text)) run.unknown('PostScript that may do what it likes (-dNOSAFER)');
    else if (!word.text.startsWith('-') && words[index - 1]?.text !== '-o') run.read(word);
  }
}

/** TeX: a document may start programs where that is switched on, and LuaTeX holds code. Sources: TeX Live 2025, latexmk(1). */
function tex(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const parsed = parseOptions(
    {
      style: 'single',
      flags:
        '-shell-escape --shell-escape -enable-write18 -no-shell-escape -pdf -xelatex -lualatex -C -c -f -g -halt-on-error -file-line-error -synctex=1 -draftmode',
      values: '-e -r -output-directory -outdir -jobname -interaction -pdflatex -latex -aux-directory -auxdir',
    },
    words,
  );
  const isOpen = words.some(({ text }) => /^--?(?:shell-escape|enable-write18)$/.test(text));
  for (const word of words) {
    for (const [, line = ''] of word.text.matchAll(/\\(?:immediate\s*\\)?write18\s*\{([^{}]*)\}/g))
      run.code('sh', withText(word, line));
    for (const [, code = ''] of word.text.matchAll(/\\(?:directlua|latelua)\s*\{(.*)\}/gs))
      run.code('lua', withText(word, code));
  }
  if (isOpen) run.unknown('a document that may start programs');
  for (const code of run.invocation.program === 'latexmk' ? parsed.values('-e') : []) run.code('perl', code);
  for (const command of parsed.values('-pdflatex', '-latex')) run.code('sh', command);
  for (const file of parsed.values('-r')) run.script('perl', file);
  for (const file of parsed.operands) if (!file.text.startsWith('\\')) run.read(file);
  for (const folder of parsed.values('-output-directory', '-outdir'))
    run.write(folder, { traits: ['recursive'], makes: 'folder', content: 'kept' });
}

/** `wkhtmltopdf page… out`, `weasyprint page out`: the last word is written. */
function pageToFile(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const files = words.filter(
    ({ text }, at) =>
      !text.startsWith('-') && (at === 0 || !/^--?[\w-]+$/.test(words[at - 1]?.text ?? '') || at >= words.length - 2),
  );
  for (const file of files.slice(0, -1)) if (/[./:]/.test(file.text)) comesIn(run, file);
  const target = files.at(-1);
  if (target && files.length > 1) goesOut(run, target);
}

/** `exiftool -TAG=value file`: changes files and keeps a copy beside each, unless it is told not to. Source: exiftool(1) 13. */
function exiftool(run: Run): void {
  const words = argumentsOf(run.invocation);
  if (isHelpOnly(words)) return;
  const changes = words.some(
    ({ text }) => /^-[\w:*-]+[-+]?<?=/.test(text) || /^-(?:tagsfromfile|all=|delete_original)/i.test(text),
  );
  const files = words.filter(({ text }) => !text.startsWith('-'));
  for (const file of files) {
    run.read(file);
    if (changes)
      run.write(file, {
        traits: words.some(({ text }) => /^-(?:overwrite_original|delete_original)/.test(text))
          ? ['overwrite']
          : ['edit'],
      });
  }
}

/** Programs that turn pictures, films and documents into others, and can read, write, send and run much else on the way. */
export const documentPrograms: readonly ProgramEntry[] = [
  ...rows('ffmpeg', ffmpeg),
  ...rows('magick convert mogrify identify composite montage', magick),
  ...rows('gs|gsc ps2pdf', ghostscript),
  ...rows('pdflatex xelatex lualatex latex tex pdftex luatex xetex latexmk tectonic', tex),
  ...rows('wkhtmltopdf wkhtmltoimage weasyprint', pageToFile),
  ...rows('exiftool', exiftool),
];
