/** What a person can ask for, as far as their words show it. A closed list; what is not understood is simply absent. */
export const INTENTS = [
  'look',
  'edit',
  'create',
  'delete',
  'move',
  'run',
  'test',
  'build',
  'format',
  'install',
  'commit',
  'push',
  'fetch',
  'branch',
  'undo',
  'publish',
  'deploy',
  'send',
  'download',
  'database',
  'permission',
  'stop',
  'serve',
  'config',
  'secret',
  'schedule',
  'container',
  'cloud',
  'system',
  'collaborate',
] as const;
export type Intent = (typeof INTENTS)[number];

/** Words of one intent. `words` are matched at word borders with endings as given; `signs` anywhere (scripts without spaces). */
interface Lexeme {
  readonly words: string;
  readonly signs: string;
}

/**
 * The ask lexicon: stems by which people ask, in English, German, French, Spanish, Portuguese, Italian and Russian (words), and in
 * Chinese, Japanese and Korean (signs). A word that is missing costs only what the names in the request do not make up for.
 */
const LEXICON: Readonly<Record<Intent, Lexeme>> = {
  look: {
    words:
      'look|read|explain|review|find|search|check|show|list|see|view|inspect|describe|summari[sz]e|analy[sz]e|investigate|understand|tell|why|what|where|which|how|count|display|print|audit|examine|compare|diff|status|anzeig\\w*|zeig\\w*|lies|lese\\w*|erkl[äa]r\\w*|pr[üu]f\\w*|such\\w*|warum|was|wie|welche\\w*|affiche\\w*|montre\\w*|lis|lire|expliqu\\w*|cherche\\w*|trouve\\w*|pourquoi|v[ée]rifi\\w*|muestra\\w*|mostra\\w*|mira|lee|leer|explica\\w*|busca\\w*|encuentra\\w*|revisa\\w*|por ?qu[eé]|leia|ler|procur\\w*|verifica\\w*|spiega\\w*|cerca|leggi|покажи\\w*|посмотри\\w*|прочита\\w*|объясни\\w*|найди\\w*|найти|проверь\\w*|проверить|почему|что|как',
    signs:
      '查看|看看|看一下|读取|阅读|解释|说明|检查|搜索|查找|找到|找出|显示|列出|为什么|什么|分析|了解|統計|统计|見て|見せ|読ん|読み|説明|確認|検索|探し|表示|なぜ|教えて|調べ|調査|보여|읽어|설명|확인|검색|찾아|왜|알려|분석|살펴',
  },
  edit: {
    words:
      'edit|fix|change|implement|add|refactor|rewrite|modify|update|improve|make|address|replace|correct|adjust|extend|support|handle|convert|migrate|translate|simplify|optimi[sz]e|resolve|solve|bug|failing|broken|error|typo|append|insert|set|document|comment|hide|enable|disable|use|apply|repair|patch|clean ?up|remove|rename|bump|increase|decrease|align|style|[äa]nder\\w*|behebe\\w*|beheb\\w*|korrigier\\w*|erg[äa]nz\\w*|f[üu]g\\w*|ersetz\\w*|verbesser\\w*|passe|anpassen|umsetz\\w*|schreib\\w*|corrig\\w*|modifi\\w*|ajout\\w*|remplac\\w*|am[ée]lior\\w*|chang\\w*|arregl\\w*|corrij\\w*|cambi\\w*|a[ñn]ad\\w*|agreg\\w*|reemplaz\\w*|mejor\\w*|conserta\\w*|alter\\w*|mud\\w*|adicion\\w*|aggiung\\w*|sostitu\\w*|исправ\\w*|измени\\w*|добав\\w*|замен\\w*|обнов\\w*|почини\\w*|поправ\\w*',
    signs:
      '修改|修复|修正|更改|改成|改为|实现|添加|增加|重构|替换|更新|优化|完善|解决|调整|翻译|直して|直す|修正|変更|実装|追加|置き換え|更新|改善|リファクタ|対応|고쳐|수정|변경|구현|추가|교체|개선|업데이트|리팩터|바꿔|번역',
  },
  create: {
    words:
      'create|write|generate|scaffold|init|initiali[sz]e|new|draft|produce|make|save|export|store|dump|erstell\\w*|anleg\\w*|lege|erzeug\\w*|schreib\\w*|neue\\w*|cr[ée]{1,2}\\w*|[ée]cri\\w*|g[ée]n[èée]r\\w*|crea|crear|cre\\w+|escrib\\w*|gener\\w*|criar|crie|escrev\\w*|scriv\\w*|созда\\w*|напиши\\w*|сгенерир\\w*|нов\\w+',
    signs: '创建|新建|编写|生成|写一个|写个|保存|作って|作成|書いて|生成|만들|작성|생성|저장',
  },
  delete: {
    words:
      "throw (?:.{1,60} )?(?:away|out)|(?:can|may) go(?! (?:ahead|on|to|back|through|over|wrong))|nuke|trash|ditch|toss|shred|unlink|dispose of|(?:do(?:n[’']?t| not)|no longer) (?:really )?need(?! to)|not needed|wegwerf\\w*|(?:kann|k[öo]nnen) weg|weg damit|jette[zr]?|d[ée]barrass\\w*|deshazte de|butta\\w*|выкин\\w*|выброс\\w*|избав\\w*|delete|remove|drop|erase|clean|clear|purge|prune|wipe|rid of|rm|unused|obsolete|tidy|free|empty|uninstall|discard|l[öo]sch\\w*|entfern\\w*|aufr[äa]um\\w*|r[äa]um\\w*|leere\\w*|supprim\\w*|efface\\w*|enl[èe]ve\\w*|enlever|nettoi\\w*|vide|borra\\w*|elimin\\w*|quita\\w*|limpi\\w*|apag\\w*|remov\\w*|exclu[aí]\\w*|limp\\w*|cancell\\w*|rimuov\\w*|pulisc\\w*|elimina\\w*|удал\\w*|убери\\w*|очист\\w*|сотр\\w*",
    signs:
      '不需要了|没用了|用不到|丢掉|扔掉|去除|捨て|片付け|要らない|필요 ?없|없애|치워|删除|删掉|移除|清理|清空|清除|去掉|卸载|消して|削除|消す|掃除|クリーン|クリア|除去|삭제|지워|제거|정리|비워',
  },
  move: {
    words:
      'move|rename|relocate|reorgani[sz]e|archive|copy|backup|back up|duplicate|restructure|extract|compress|zip|unzip|unpack|sync|verschieb\\w*|umbenenn\\w*|benenn\\w*|kopier\\w*|d[ée]place\\w*|renomm\\w*|copi\\w*|muev\\w*|mover|mova|renombr\\w*|renome\\w*|sposta\\w*|rinomin\\w*|перемест\\w*|переимен\\w*|скопир\\w*|копир\\w*',
    signs:
      '移动|重命名|改名|复制|备份|拷贝|压缩|解压|移動|名前を|リネーム|コピー|バックアップ|옮겨|이동|이름을|복사|백업|압축',
  },
  run: {
    words:
      'run|re-?run|execute|start|launch|try|invoke|call|script|reproduce|benchmark|profile|ausf[üu]hr\\w*|f[üu]hre|starte\\w*|ex[ée]cut\\w*|lance\\w*|ejecut\\w*|corre|execut\\w*|rod[ae]\\w*|esegu\\w*|запусти\\w*|выполни\\w*',
    signs: '运行|执行|启动|跑一下|跑|実行|動かし|走らせ|起動|실행|돌려',
  },
  test: {
    words:
      'tests?|testing|tested|verify|coverage|specs?|e2e|regression|pass(?:es|ing)?|failing|teste\\w*|prueba\\w*|probar|prova\\w*|verifica\\w*|протестир\\w*|тест\\w*',
    signs: '测试|验证|单测|テスト|検証|테스트|검증',
  },
  build: {
    words:
      'build|compile|bundle|package|make|rebuild|baue\\w*|kompilier\\w*|compil\\w*|constru\\w*|собер\\w*|сборк\\w*|компилир\\w*',
    signs: '构建|编译|打包|ビルド|コンパイル|빌드|컴파일',
  },
  format: {
    words: 'format|lint|prettier|eslint|style|formatier\\w*|formate\\w*|formatea\\w*|отформатир\\w*',
    signs: '格式化|整形|フォーマット|リント|포맷|린트',
  },
  install: {
    words:
      'install|reinstall|add|upgrade|update|bump|set ?up|dependenc\\w*|packages?|library|libraries|modules?|pin|downgrade|migrate|installier\\w*|aktualisier\\w*|abh[äa]ngigkeit\\w*|paket\\w*|install\\w+|d[ée]pendance\\w*|instal\\w*|actualiz\\w*|dependencia\\w*|paquete\\w*|pacote\\w*|aggiorna\\w*|установ\\w*|зависимост\\w*|пакет\\w*|обнов\\w*',
    signs: '安装|升级|依赖|更新|インストール|依存|アップグレード|更新|설치|의존성|업그레이드|패키지',
  },
  commit: {
    words:
      'commit\\w*|check in|stage|unstage|squash|amend|комм?ит\\w*|закоммит\\w*|einchecken|committe\\w*|comm?ett\\w*|confirma los cambios',
    signs: '提交|コミット|커밋',
  },
  push: {
    words: 'push\\w*|upstream|ship|hochlad\\w*|pouss\\w*|empuj\\w*|sub[ae]|запуш\\w*|отправ\\w*',
    signs: '推送|推到|プッシュ|푸시|푸쉬',
  },
  fetch: {
    words:
      'pull|fetch|sync|clone|checkout|check out|latest|up to date|hol\\w*|r[ée]cup[ée]r\\w*|tir\\w*|traer|baix\\w*|стян\\w*|клонир\\w*',
    signs: '拉取|克隆|同步|プル|フェッチ|クローン|풀 ?받|클론|동기화',
  },
  branch: {
    words:
      'branch\\w*|merge|rebase|cherry-pick|worktree|tag|stash|zweig\\w*|branche\\w*|rama\\w*|ramo\\w*|ветк\\w*|слей|слить|смерж\\w*|fusion\\w*',
    signs: '分支|合并|变基|标签|ブランチ|マージ|リベース|タグ|브랜치|병합|머지|리베이스|태그',
  },
  undo: {
    words:
      'undo|revert|reset|restore|roll ?back|discard|throw away|drop (?:my|the|all) changes|start over|clean state|go back|get back|r[üu]ckg[äa]ngig|zur[üu]cksetz\\w*|verwerf\\w*|annul\\w*|r[ée]tabli\\w*|deshaz\\w*|deshacer|revier\\w*|revert\\w*|desfa\\w*|ripristin\\w*|откати\\w*|отмени\\w*|сброс\\w*|верни\\w*',
    signs: '撤销|回滚|还原|恢复|重置|丢弃|放弃|戻して|戻す|元に|リセット|取り消|破棄|되돌|취소|리셋|복원|버려',
  },
  publish: {
    words: 'publish\\w*|release|ver[öo]ffentlich\\w*|publi\\w*|lan[cz]a\\w*|опублик\\w*|релиз\\w*|pubblic\\w*',
    signs: '发布|发版|公開|リリース|배포|릴리스|게시|공개',
  },
  deploy: {
    words:
      'deploy\\w*|redeploy\\w*|roll ?out|ship|go live|ausroll\\w*|d[ée]ploi\\w*|despleg\\w*|desplieg\\w*|implant\\w*|разверн\\w*|деплой\\w*|задеплой\\w*',
    signs: '部署|上线|デプロイ|배포|디플로이',
  },
  send: {
    words:
      'send|upload|post|share|notify|email|mail|message|submit|report|webhook|slack|comment|reply|schick\\w*|send\\w+|sende\\w*|hochlad\\w*|teile|envoi\\w*|envoy\\w*|partag\\w*|env[ií]\\w*|sub[ei]\\w*|comparti\\w*|enviar|envie|compartilh\\w*|invia\\w*|carica\\w*|отправ\\w*|пошли\\w*|загруз\\w*|поделись',
    signs: '发送|上传|分享|通知|发给|邮件|送って|送信|アップロード|共有|通知|보내|업로드|공유|전송',
  },
  download: {
    words:
      'download\\w*|fetch|get|grab|curl|wget|scrape|open|visit|browse|url|website|page|api|https?|docs|documentation|herunterlad\\w*|lade|t[ée]l[ée]charg\\w*|descarg\\w*|baix\\w*|scarica\\w*|скача\\w*|загрузи\\w*',
    signs: '下载|获取|抓取|访问|网页|网站|接口|ダウンロード|取得|開いて|ページ|다운로드|받아|가져|페이지|사이트',
  },
  database: {
    words:
      'databases?|db|sql|tables?|rows?|records?|query|queries|migrat\\w*|schema|seed|postgres\\w*|mysql|sqlite|mongo\\w*|redis|datenbank\\w*|tabelle\\w*|base de donn[ée]es|base de datos|banco de dados|tabla\\w*|tabela\\w*|баз\\w+ данных|таблиц\\w*|запис\\w+',
    signs:
      '数据库|数据表|表中|记录|迁移|データベース|テーブル|レコード|マイグレーション|데이터베이스|테이블|레코드|디비|마이그레이션',
  },
  permission: {
    words:
      'permissions?|chmod|chown|owner\\w*|executable|access|sudo|root|admin|rights|mode|berechtigung\\w*|rechte|ausf[üu]hrbar|droits|permis\\w*|ex[ée]cutable|ejecutable|прав\\w*|доступ\\w*|исполняем\\w*',
    signs: '权限|可执行|所有者|授权|権限|実行可能|所有者|권한|실행 ?가능|소유자',
  },
  stop: {
    words:
      'stop|kill|terminate|restart|shut ?down|quit|port|hangs?|stuck|process(?:es)?|beende\\w*|stopp\\w*|neustart\\w*|arr[êe]t\\w*|tue[rz]?|red[ée]marr\\w*|deten\\w*|det[ée]n|mata\\w*|reinici\\w*|par[ae]r?|ferma\\w*|riavvi\\w*|останов\\w*|убей|заверши\\w*|перезапуст\\w*',
    signs:
      '停止|终止|杀掉|杀死|重启|关闭|端口|进程|止めて|停止|終了|再起動|ポート|プロセス|멈춰|중지|종료|재시작|포트|프로세스',
  },
  serve: {
    words: 'serve|server|start|dev|preview|localhost|watch|listen|tunnel|expose|host|servidor|serveur|сервер\\w*',
    signs: '服务器|服务|本地|预览|サーバ|プレビュー|서버|로컬|미리보기',
  },
  config: {
    words:
      'config\\w*|settings?|environment|env|options?|preferences?|git config|editor|vscode|tsconfig|package\\.json|scripts?|alias(?:es)?|profile|shell|path|einstellung\\w*|konfig\\w*|umgebung\\w*|param[èe]tr\\w*|r[ée]glage\\w*|ajuste\\w*|configur\\w*|impostazion\\w*|настро\\w*|конфиг\\w*|окружен\\w*',
    signs: '配置|设置|环境变量|环境|选项|設定|環境変数|環境|설정|환경',
  },
  secret: {
    words:
      'secrets?|credentials?|tokens?|api ?keys?|keys?|passwords?|\\.env|env vars?|env(?:ironment)? variables?|certificates?|ssh|login|auth\\w*|geheimnis\\w*|passw[öo]rt\\w*|zugangsdaten|schl[üu]ssel|identifiants?|mot de passe|cl[ée]s?|contrase[ñn]a\\w*|credencial\\w*|claves?|senha\\w*|chave\\w*|парол\\w*|ключ\\w*|токен\\w*|секрет\\w*',
    signs: '密钥|密码|令牌|凭证|证书|秘钥|環境変数|パスワード|トークン|認証|鍵|비밀|토큰|자격 ?증명|키를|패스워드',
  },
  schedule: {
    words:
      'cron\\w*|schedul\\w*|hooks?|husky|pre-?commit|ci|cd|workflows?|actions?|pipelines?|daily|nightly|hourly|every (?:day|hour|night|week)|startup|boot|service|daemon|automat\\w*|t[äa]glich|st[üu]ndlich|tous les jours|diario|a diario|ежедневно|расписани\\w*|хук\\w*',
    signs:
      '定时|每天|钩子|流水线|工作流|开机|自动|毎日|フック|パイプライン|ワークフロー|自動|매일|훅|파이프라인|워크플로|예약|자동',
  },
  container: {
    words:
      'docker\\w*|containers?|compose|podman|images?|devcontainer|volumes?|kontainer|conteneur\\w*|contenedor\\w*|cont[êe]iner\\w*|контейнер\\w*|образ\\w*',
    signs: '容器|镜像|コンテナ|イメージ|컨테이너|이미지|도커',
  },
  cloud: {
    words:
      'cloud|aws|s3|gcp|gcloud|azure|kube\\w*|k8s|cluster|terraform|helm|pods?|namespace|bucket|lambda|vercel|netlify|infra\\w*|staging|production|prod|stack|instances?|кластер\\w*|облак\\w*',
    signs: '云|集群|生产环境|存储桶|クラウド|クラスタ|本番|バケット|클라우드|클러스터|프로덕션|버킷',
  },
  system: {
    words:
      'system|machine|os|disk|space|apt|brew|systemctl|network|firewall|dns|users?|festplatte|speicherplatz|syst[èe]me|disque|sistema|disco|espacio|espa[çc]o|систем\\w*|диск\\w*',
    signs: '系统|磁盘|空间|机器|网络|システム|ディスク|容量|ネットワーク|시스템|디스크|용량|네트워크',
  },
  collaborate: {
    words:
      'pr|prs|pull requests?|merge requests?|issues?|tickets?|github|gitlab|jira|review|comment|assign|label|discussion|#\\d+|тикет\\w*',
    signs: '拉取请求|合并请求|工单|议题|プルリク|イシュー|チケット|풀 ?리퀘스트|이슈|티켓',
  },
};

const asks = (): readonly (readonly [Intent, RegExp])[] =>
  INTENTS.map((intent) => {
    const { signs } = LEXICON[intent];
    // `\w` knows ASCII only: endings in other scripts have to be spelled as letters.
    const words = LEXICON[intent].words.replaceAll('\\w', '[\\p{L}\\p{N}_]');
    const endings = '(?:s|es|d|ed|ing|ning|ting)?';
    return [intent, new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})${endings}(?![\\p{L}\\p{N}_])|${signs}`, 'giu')];
  });

/** Words before an intent that turn it into its opposite; at most a few words may stand between. */
const notBefore = (): RegExp =>
  /(?:\b(?:not|never|without|no|don'?t|doesn'?t|avoid|instead of|stop|rather than|nicht|kein\w*|ohne|nie|pas|sans|jamais|sin|nunca|não|nao|sem|non|senza|mai|ne)\b|(?<!\p{L})(?:не|без|нельзя)(?!\p{L}))(?:\s+[\p{L}']+){0,2}\s*$|(?:不要|别|不能|不许|禁止|无需|不用|勿|请勿|切勿)[^，。；,.;]{0,4}$/iu;
/** Words after an intent that turn it into its opposite. */
const notAfter = (): RegExp =>
  /^(?:[^,.;，。、]{0,8}(?:しないで|しない|せず|禁止|するな|하지 ?마|하지 ?말|말고|금지|지 ?마|없이)|[\s\p{L}]{0,12}\b(?:nicht|niet|pas)\b)/iu;

/** "Only": whatever is not said is not wanted. */
const only = (): RegExp =>
  /\b(?:only|just|nothing else|read-?only|dry.run|nur|lediglich|seulement|uniquement|s[óo]lo|solamente|apenas|somente|soltanto|solo)\b|(?<!\p{L})только(?!\p{L})|只|仅|だけ|のみ|만(?=\s|$)/iu;

/** Words that go on with what was spoken of before. */
const goesOn = (): RegExp =>
  /^[\s"'*]*(?:(?:ok(?:ay)?|yes|yep|yup|y|yeah|sure|go(?: ahead| on| for it)?|proceed|continue|do (?:it|that|this|so)|please (?:do|continue|go on|proceed)|looks good|lgtm|perfect|great|thanks|fine|correct|right|ja|weiter|mach(?: das)?|oui|continue[rz]?|vas-y|s[ií]|sigue|continua|adelante|sim|va bene|да|давай|продолж\w*|ок)\b|好的?|是的|继续|可以|行|はい|続けて|お願い|네|계속|좋아|응|\d+[.)]?\s*$)/iu;

/** What the words of a request ask for, and what they forbid. */
export interface Asked {
  readonly wanted: ReadonlySet<Intent>;
  readonly forbidden: ReadonlySet<Intent>;
  /** "Only", "just", "read-only": whatever is not named is not wanted. */
  readonly isNarrow: boolean;
  /** A short answer that goes on with what was spoken of before. */
  readonly isContinuation: boolean;
}

/** All expressions, made at the first use: what they cost is a good part of a hook process, which seldom needs them. */
const expressions = () => ({
  asks: asks(),
  notBefore: notBefore(),
  notAfter: notAfter(),
  only: only(),
  goesOn: goesOn(),
});
let made: ReturnType<typeof expressions> | null = null;

/** Longest part of a request that is looked at for what it asks. */
const MOST = 4000;

/** What a request asks for, by the ask lexicon. Linear in the request, which is cut to {@link MOST} characters. */
export function askedBy(request: string): Asked {
  made ??= expressions();
  const { notBefore, notAfter, only, goesOn } = made;
  const text = request.slice(0, MOST).normalize('NFC');
  const isDenied = (start: number, end: number): boolean =>
    notBefore.test(text.slice(Math.max(0, start - 40), start)) || notAfter.test(text.slice(end, end + 16));
  const wanted = new Set<Intent>();
  const forbidden = new Set<Intent>();
  for (const [intent, words] of made.asks) {
    for (const match of text.matchAll(words)) {
      const denied = isDenied(match.index, match.index + match[0].length);
      (denied ? forbidden : wanted).add(intent);
    }
    // Said and unsaid in one breath ("delete the file but do not delete the folder"): it is wanted, of something.
    if (wanted.has(intent)) forbidden.delete(intent);
  }
  return {
    wanted,
    forbidden,
    isNarrow: only.test(text),
    isContinuation: text.trim() === '' || (text.length < 80 && goesOn.test(text)),
  };
}
