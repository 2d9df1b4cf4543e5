/**
 * What a person may ask for in a sentence, by the words for it in the languages that people write to agents in. Imperative and
 * present forms only: "the branch I pushed" asks for nothing. Words of languages without blanks between words stand by themselves.
 */
const WORDS = {
  push: [
    'push(?:es|ing|e|en|a|ea|er|ez|uj|la)?|push(?:ear|eá|e[ns]?)|(?:force-?)?push',
    'pousse[rz]?|sube|subir|empuja|empurr[ae]|invia|spingi|hochladen|hochschieben|wypchnij|запуш\\p{L}*|пуш\\p{L}*|отправь',
    '推送|推到|推上|プッシュ|푸시|ارفع|gönder|đẩy|पुश',
  ],
  publish: [
    'publish(?:es|ing)?|release|releasing|upload(?:ing)?',
    'veröffentlich\\p{L}*|publizier\\p{L}*|publi(?:e|er|ez|ca|car|que|quer|ceer|ceren)|pubblica\\p{L}*|opublikuj|wydaj|опублик\\p{L}*|выпусти\\p{L}*',
    '发布|發佈|公開|リリース|パブリッシュ|게시|배포|출시|yayınla\\p{L}*|انشر|xuất bản|terbitkan|प्रकाशित',
  ],
  install: [
    '(?:re-?)?install(?:s|ing)?|upgrade|upgrading|bump(?:ing)?|set(?:ting)? ?up|setup|dependenc(?:y|ies)',
    'installier\\p{L}*|aktualisier\\p{L}*|einricht\\p{L}*|abhängigkeit\\p{L}*|instal(?:l?a|l?e|l?ez|ar|uj|ować|lare|leren)|dépendances?|dependencias?|dependências?|dipendenz[ae]|afhankelijkhe\\p{L}*|zależnoś\\p{L}*|mets? à jour|actualiza\\p{L}*|atualiz\\p{L}*|aggiorna\\p{L}*',
    'установи\\p{L}*|обнови\\p{L}*|зависимост\\p{L}*|встанови\\p{L}*|安装|安裝|升级|升級|依赖|依賴|インストール|導入|依存|更新|설치|업그레이드|의존성|kur|yükle|bağımlılık\\p{L}*|ثبت|تثبيت|cài đặt|pasang|स्थापित|इंस्टॉल',
  ],
  delete: [
    'delet(?:e|es|ing)|remov(?:e|es|ing)|drop(?:ping)?|get(?:ting)? rid of|clean(?:ing)?(?: up)?|erase|trash',
    'lösch\\p{L}*|entfern\\p{L}*|supprim\\p{L}*|enlev\\p{L}*|efface\\p{L}*|elimin\\p{L}*|borr\\p{L}*|quita\\p{L}*|apag\\p{L}*|remov\\p{L}*|cancell\\p{L}*|rimuov\\p{L}*|verwijder\\p{L}*|usuń\\p{L}*|удали\\p{L}*|убери\\p{L}*|видали\\p{L}*',
    '删除|刪除|移除|去掉|削除|消し|삭제|지워|제거|sil|kaldır\\p{L}*|احذف|حذف|xóa|hapus\\p{L}*|हटा|मिटा',
  ],
  use: [
    '(?:use|using|get|add(?:ing)?|try|update|updating|switch(?:ing)? to|migrat(?:e|ing) to|introduce|adopt)',
    'nutz\\p{L}*|verwend\\p{L}*|benutz\\p{L}*|füg\\p{L}*|utilis\\p{L}*|ajout\\p{L}*|usa[r]?|agreg\\p{L}*|añad\\p{L}*|adicion\\p{L}*|aggiung\\p{L}*|gebruik\\p{L}*|dodaj|użyj|используй\\p{L}*|добав\\p{L}*',
    '使用|添加|加入|追加|使って|使い|사용|추가|kullan\\p{L}*|ekle\\p{L}*|استخدم|أضف|dùng|thêm|gunakan|tambah\\p{L}*|जोड़|उपयोग',
  ],
  propose: [
    '(?:open|create|make|raise|submit|file|prepare|send)\\w*[^.]{0,30}(?:pull[ -]?requests?|PRs?|merge[ -]?requests?|MRs?)',
    '(?:erstell|öffne|mach|crée|ouvr|fai[st]|crea|abr|abre|haz|apri|maak|otwórz|utwórz|создай|открой|сделай|oluştur|aç)\\p{L}*[^.]{0,30}(?:pull[ -]?request|PR|merge[ -]?request|MR)|(?:pull[ -]?request|PR|merge[ -]?request|MR)[^.]{0,30}(?:erstellen|öffnen|oluştur|aç)',
    '(?:创建|提交|发起|開|作成|作って|出して|열어|만들어|생성).{0,12}(?:PR|pull request|プルリク\\p{L}*|합쳐|拉取请求)|(?:PR|pull request|プルリク\\p{L}*|拉取请求).{0,8}(?:创建|提交|作成|作って|出して|열어|만들어|생성)',
  ],
  report: [
    '(?:open|create|make|raise|submit|file|report|write)\\w*[^.]{0,30}(?:issues?|tickets?|bug reports?)',
    '(?:erstell|öffne|crée|ouvr|crea|abr|abre|apri|maak|создай|открой|oluştur)\\p{L}*[^.]{0,30}(?:issue|ticket)',
    '(?:创建|提交|作成|作って|열어|만들어).{0,12}(?:issue|イシュー|이슈|问题单)|(?:issue|イシュー|이슈).{0,8}(?:创建|提交|作成|作って|열어|만들어)',
  ],
  comment: [
    '(?:comment|reply|respond|answer)(?:ing)?',
    'kommentier\\p{L}*|antworte\\p{L}*|comment(?:e|er|ez)|répond\\p{L}*|comenta\\p{L}*|responde\\p{L}*|commenta|rispondi|reageer|skomentuj|прокомментируй|ответь',
    '评论|回复|コメント|返信|댓글|답글|yorum\\p{L}*',
  ],
  read: [
    'read(?:ing)?|look(?:ing)?|docs?|documentation|pages?|site|website|fetch|open|see|check|manual|guide|according to|follow',
    'lies|lese\\p{L}*|schau\\p{L}*|doku\\p{L}*|seite|webseite|handbuch|anleitung|lis|lire|lisez|page|doc|lee|leer|lea|consulta\\p{L}*|página|manuale?|leggi|guarda|pagina|leia|lees|bekijk|przeczytaj|strona|прочит\\p{L}*|почит\\p{L}*|посмотри\\p{L}*|документаци\\p{L}*|страниц\\p{L}*',
    '读|閱讀|看|文档|文檔|页面|手册|読|見|参照|ドキュメント|ページ|읽|문서|페이지|oku\\p{L}*|belge\\p{L}*|sayfa\\p{L}*|اقرأ|وثائق|đọc|tài liệu|baca|dokumentasi|पढ़',
  ],
} as const satisfies Readonly<Record<string, readonly [string, string, string]>>;
export type Intent = keyof typeof WORDS;

/** Not inside a word. Scripts without blanks between words have no such bounds, and their words stand in no other. */
const bounded = (words: string): string => `(?<![\\p{L}\\p{N}_-])(?:${words})(?![\\p{L}\\p{N}_])`;

const INTENTS: ReadonlyMap<Intent, RegExp> = new Map(
  (Object.keys(WORDS) as Intent[]).map((intent) => {
    const [english, others, unbounded] = WORDS[intent];
    return [intent, new RegExp(`${bounded(`${english}|${others}`)}|${unbounded}`, 'iu')];
  }),
);

/** Words that turn a clause round, wherever they stand in it. */
const NEGATION = new RegExp(
  [
    bounded(
      [
        "not|never|no|nor|none|nothing|without|avoid\\p{L}*|skip\\p{L}*|instead|stop|refuse|don['’]?t|doesn['’]?t|mustn['’]?t|shouldn['’]?t|can['’]?t|won['’]?t|cannot",
        'nicht|nichts|kein\\p{L}*|nie|niemals|ohne|statt|anstatt|vermeide\\p{L}*',
        'ne|pas|jamais|sans|aucun\\p{L}*|évite\\p{L}*|rien',
        'nunca|jamás|sin|evit\\p{L}*|ningun\\p{L}*|nada|não|sem|nenhum\\p{L}*|non|mai|senza|nessun\\p{L}*',
        'niet|geen|nooit|zonder|inte|ikke|aldrig|utan|uden|uten|nigdy|bez|не|без|никогда|нельзя|ні',
        'değil|olmadan|asla|لا|بدون|ليس|đừng|không|jangan|tanpa|tidak|मत|नहीं|बिना',
      ].join('|'),
    ),
    "n['’]|不|别|別|勿|没有|禁止|ない|ません|ずに|やめ|지 ?마|하지|말고|않|금지|없이",
  ].join('|'),
  'iu',
);
/** Words that put off what comes after them. */
const POSTPONED = new RegExp(
  bounded('before|until|unless|bevor|avant(?: de| que)?|antes de|prima di|voordat|zanim|перед|пока'),
  'iu',
);

/** Sentences and the parts of them that can be said to be so by themselves. A dot or colon inside a name ends nothing. */
const clausesOf = (request: string): readonly string[] =>
  request.split(
    /[!?;\n。！？；、，]+|[.,:](?=\s|$)|(?<![\p{L}])(?:but|then|aber|sondern|dann|mais|puis|pero|luego|mas|però|maar|ale|но|затем)(?![\p{L}])|但是|但|しかし|하지만/iu,
  );

/** Whether a clause says something of a match in it rather than the opposite. */
const affirms = (clause: string, at: number): boolean => !NEGATION.test(clause) && !POSTPONED.test(clause.slice(0, at));

/** Whether the person's words say it in some clause, and in none the opposite. Linear in the request. */
export function says(request: string, words: RegExp): boolean {
  let isSaid = false;
  for (const clause of clausesOf(request)) {
    const match = words.exec(clause);
    if (match === null) continue;
    if (!affirms(clause, match.index)) return false;
    isSaid = true;
  }
  return isSaid;
}

/** Whether the person asks for this, in whatever language, and nowhere for the opposite. */
export function asksFor(request: string, intent: Intent): boolean {
  const words = INTENTS.get(intent);
  return words !== undefined && says(request, words);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * Whether the request gives a name as a word of its own, and does not say to keep off it. Rests on the name alone, so it holds in
 * every language. Names of less than three characters name nothing.
 */
export function names(request: string, name: string): boolean {
  if (name.length < 3) return false;
  // Letters of scripts that write words without blanks may stand right beside a name.
  return says(request, new RegExp(`(?<![\\w.-])${escaped(name)}(?![\\w-]|\\.\\w)`, 'iu'));
}
