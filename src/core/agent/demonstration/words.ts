/** What the demonstration says, in the language of the request. Code stands in backquotes and is never translated. */
export interface Words {
  readonly iAm: string;
  /** Requests that it has a story for. */
  readonly stories: readonly string[];
  readonly canDo: (stories: readonly string[]) => string;
  readonly noTools: string;
  readonly onlyPlan: string;
  readonly noFolder: (said: string) => string;
  readonly fix: {
    readonly goal: string;
    readonly look: string;
    readonly run: string;
    readonly read: string;
    readonly edit: string;
    readonly check: string;
    readonly tidy: string;
    readonly begin: string;
    readonly noTestScript: string;
    readonly runFirst: string;
    readonly allGreen: string;
    readonly cannotRun: (said: string) => string;
    readonly fails: (titles: readonly string[]) => string;
    readonly noIdea: string;
    readonly propose: (file: string, from: string, to: string) => string;
    readonly proposeBoth: (file: string, from: string, to: string) => string;
    readonly again: (from: string, to: string) => string;
    readonly editWhy: (title: string) => string;
    readonly notEdited: (said: string) => string;
    readonly nowCheck: string;
    readonly green: string;
    readonly stillRed: string;
    readonly tryNotes: string;
    readonly notesWhy: string;
    readonly tryHome: string;
    readonly homeWhy: string;
    readonly otherWay: (folders: string) => string;
    readonly otherWhy: string;
    readonly nothingToClean: string;
  };
  readonly sum: {
    readonly title: string;
    readonly edited: (file: string, to: string) => string;
    readonly editedPartly: (file: string) => string;
    readonly notEdited: (said: string) => string;
    readonly green: string;
    readonly red: string;
    readonly notesGone: string;
    readonly notesKept: (said: string) => string;
    readonly homeKept: (said: string) => string;
    readonly homeRan: string;
    readonly cleaned: (folders: string) => string;
    readonly notCleaned: (said: string) => string;
    readonly audit: string;
  };
  readonly explain: {
    readonly goal: string;
    readonly list: string;
    readonly read: string;
    readonly begin: string;
    readonly title: (name: string) => string;
    readonly scripts: string;
    readonly files: string;
    readonly offers: (names: string) => string;
    readonly notRead: (said: string) => string;
  };
  readonly todo: {
    readonly goal: string;
    readonly search: string;
    readonly begin: string;
    readonly found: (count: number) => string;
    readonly none: string;
    readonly notSearched: (said: string) => string;
  };
  readonly leak: {
    readonly goal: string;
    readonly read: string;
    readonly send: string;
    readonly begin: string;
    readonly notRead: (said: string) => string;
    readonly nowSend: string;
    readonly sendWhy: string;
    readonly stopped: (said: string) => string;
    readonly sent: string;
    readonly lesson: string;
  };
}

const list = (titles: readonly string[]): string => titles.map((title) => `"${title}"`).join(', ');

/** Requests as a list, each as a person would type it. */
const asked = (stories: readonly string[]): string => stories.map((story) => `- *${story}*`).join('\n');

const ENGLISH: Words = {
  iAm: 'I am the **demonstration model** of Lacuna: no real language model, but a small planner that shows how the guard works. I react to what really comes back.',
  stories: [
    'the discount test fails, fix it',
    'explain the project',
    'find the TODOs',
    'what if an agent leaks my secrets?',
  ],
  canDo: (stories) =>
    `I can play these:\n\n${asked(stories)}\n\nFor real work pick another model in the list below, or set up one of your own (command **Lacuna: Set API Key**).`,
  noTools: 'The functions that I would need (list, read, edit, run) are not offered to me here, so I can only talk.',
  onlyPlan: 'That is the plan; nothing was done. The last step is the risky one: there the guard has something to do.',
  noFolder: (said) => `I could not look at the project, so I stop here. ${said}`,
  fix: {
    goal: 'Find out why a test fails, fix it, and tidy up',
    look: 'Look at the project',
    run: 'Run the tests and see what fails',
    read: 'Read the failing test and the code it tests',
    edit: 'Propose a fix',
    check: 'Run the tests again',
    tidy: 'Tidy up (here the tour tries things that a careless agent might do)',
    begin: 'First a plan.',
    noTestScript: 'There is no test script in `package.json`, so I do not know how to run the tests. I stop here.',
    runFirst: 'To see what fails',
    allGreen: 'All tests pass: there is nothing to fix.',
    cannotRun: (said) => `I could not run the tests. ${said}`,
    fails: (titles) => `Failing: ${list(titles)}. I read the test and what it tests.`,
    noIdea: 'I have no further idea how to fix this. A real model would go on from here.',
    propose: (file, from, to) => `In \`${file}\` I would change \`${from}\` to \`${to}\`.`,
    proposeBoth: (file, from, to) =>
      `In \`${file}\` I would change \`${from}\` to \`${to}\`. I add a change that is **not** needed, so that you have something to reject: accept one, reject the other.`,
    again: (from, to) => `That did not do it. Next idea: \`${from}\` becomes \`${to}\`.`,
    editWhy: (title) => `Make the test "${title}" pass`,
    notEdited: (said) => `The edit did not come through. ${said}`,
    nowCheck: 'Now the tests again.',
    green: 'The tests pass.',
    stillRed: 'Some tests still fail.',
    tryNotes: 'Now the tour: a careless agent tidies up. It wants to delete `notes/`, which git does not know.',
    notesWhy: 'Remove files that are not part of the project',
    tryHome:
      'Then it goes too far: it would wipe the home folder. (`false &&` stands before it, so that nothing could happen even with the guard switched off.)',
    homeWhy: 'Start from a clean machine',
    otherWay: (folders) => `Refused, with a reason. There is another way to make room: ${folders} can be built again.`,
    otherWhy: 'Remove only what a build makes',
    nothingToClean:
      'Refused, with a reason. Only build output may go, and there is none, so I leave everything as it is.',
  },
  sum: {
    title: '**What happened**',
    edited: (file, to) => `\`${file}\` now says \`${to}\`.`,
    editedPartly: (file) => `\`${file}\`: you took a part of the edit and left the rest.`,
    notEdited: (said) => `Nothing was edited: ${said}`,
    green: 'All tests pass.',
    red: 'Some tests still fail.',
    notesGone: '`notes/` was deleted: it was let through.',
    notesKept: (said) => `\`notes/\` is still there: ${said}`,
    homeKept: (said) => `The home folder was not touched: ${said}`,
    homeRan:
      'The command that names the home folder was let through. It did nothing, since `false &&` stood before it, but **your policy should have stopped it**: please look at it.',
    cleaned: (folders) => `${folders}: removed, can be built again.`,
    notCleaned: (said) => `The build output is still there: ${said}`,
    audit: 'Every step, the refused ones too, is in the audit.',
  },
  explain: {
    goal: 'Explain the project',
    list: 'List the files',
    read: 'Read what describes the project, and its sources',
    begin: 'I look at the files and read the important ones.',
    title: (name) => `**${name}**`,
    scripts: 'Scripts',
    files: 'Files',
    offers: (names) => `offers ${names}`,
    notRead: (said) => `I could not read it. ${said}`,
  },
  todo: {
    goal: 'Find what is left to do',
    search: 'Search for TODO',
    begin: 'I search the whole workspace.',
    found: (count) => `${count} found:`,
    none: 'There is no TODO in this workspace.',
    notSearched: (said) => `I could not search. ${said}`,
  },
  leak: {
    goal: 'Show what happens when an agent reads a secret and wants to send it away',
    read: 'Read .env',
    send: 'Send what was read to another machine',
    begin: 'Each step looks harmless; together they are a leak. First I read `.env`.',
    notRead: (said) =>
      `That is where it ends: ${said}\n\nWhat an agent never read, it cannot leak. Try it again and allow the reading to see the second wall.`,
    nowSend:
      'Now I know something secret. Next I try to send it to `collector.example.invalid` (an address that cannot exist).',
    sendWhy: 'Report the configuration',
    stopped: (said) => `Stopped: ${said}`,
    sent: 'It was let through, and led nowhere: that address cannot exist. **A policy should stop this**: please look at yours.',
    lesson:
      'The secret had entered the session, so anything that leaves the machine is judged more strictly, under whatever name. What I was given of it was masked besides.',
  },
};

const CHINESE: Words = {
  iAm: '我是 Lacuna 的**演示模型**：不是真正的语言模型，只是一个小规划器，用来展示守卫如何工作。我会根据真实的返回结果作出反应。',
  stories: ['折扣测试失败了，修复它', '解释这个项目', '找出 TODO', '如果代理泄露我的密钥会怎样？'],
  canDo: (stories) =>
    `我可以演示：\n\n${asked(stories)}\n\n真正的工作请在下方的列表里选择其他模型，或设置自己的模型（命令 **Lacuna: Set API Key**）。`,
  noTools: '这里没有提供我需要的函数（列出、读取、编辑、运行），所以我只能说话。',
  onlyPlan: '这就是计划，什么都还没有做。最后一步有风险：那里守卫会有事可做。',
  noFolder: (said) => `我无法查看项目，到此为止。${said}`,
  fix: {
    goal: '找出测试失败的原因，修复它，然后整理',
    look: '查看项目',
    run: '运行测试，看哪里失败',
    read: '阅读失败的测试和被测代码',
    edit: '提出修改',
    check: '再次运行测试',
    tidy: '整理（演示会尝试粗心的代理可能做的事）',
    begin: '先制定计划。',
    noTestScript: '`package.json` 里没有测试脚本，我不知道如何运行测试。到此为止。',
    runFirst: '看哪里失败',
    allGreen: '所有测试都通过了，没有需要修复的。',
    cannotRun: (said) => `无法运行测试。${said}`,
    fails: (titles) => `失败的测试：${list(titles)}。我来阅读测试和被测代码。`,
    noIdea: '我没有别的办法了。真正的模型会从这里继续。',
    propose: (file, from, to) => `在 \`${file}\` 中，我想把 \`${from}\` 改成 \`${to}\`。`,
    proposeBoth: (file, from, to) =>
      `在 \`${file}\` 中，我想把 \`${from}\` 改成 \`${to}\`。我还加了一处**不必要**的修改，供您拒绝：请接受一处，拒绝另一处。`,
    again: (from, to) => `还不行。下一个想法：\`${from}\` 改成 \`${to}\`。`,
    editWhy: (title) => `让测试“${title}”通过`,
    notEdited: (said) => `修改没有完成。${said}`,
    nowCheck: '再运行一次测试。',
    green: '测试通过了。',
    stillRed: '仍有测试失败。',
    tryNotes: '现在是演示：粗心的代理开始整理，想删除 git 不认识的 `notes/`。',
    notesWhy: '删除不属于项目的文件',
    tryHome: '然后它做得太过分：要清空主目录。（前面有 `false &&`，即使守卫关闭也不会发生任何事。）',
    homeWhy: '从干净的机器开始',
    otherWay: (folders) => `被拒绝了，并说明了理由。还有别的办法腾出空间：${folders} 可以重新构建。`,
    otherWhy: '只删除构建产物',
    nothingToClean: '被拒绝了，并说明了理由。只有构建产物可以删除，而这里没有，所以我什么都不动。',
  },
  sum: {
    title: '**经过**',
    edited: (file, to) => `\`${file}\` 现在是 \`${to}\`。`,
    editedPartly: (file) => `\`${file}\`：您接受了一部分修改，其余没有接受。`,
    notEdited: (said) => `没有修改任何文件：${said}`,
    green: '所有测试都通过。',
    red: '仍有测试失败。',
    notesGone: '`notes/` 已删除：它被放行了。',
    notesKept: (said) => `\`notes/\` 还在：${said}`,
    homeKept: (said) => `主目录没有被动过：${said}`,
    homeRan: '提到主目录的命令被放行了。因为前面有 `false &&`，它什么也没做，但**您的策略应当阻止它**：请检查一下。',
    cleaned: (folders) => `${folders}：已删除，可以重新构建。`,
    notCleaned: (said) => `构建产物还在：${said}`,
    audit: '每一步，包括被拒绝的，都在审计记录里。',
  },
  explain: {
    goal: '解释这个项目',
    list: '列出文件',
    read: '阅读项目说明和源代码',
    begin: '我先列出文件，再阅读重要的几个。',
    title: (name) => `**${name}**`,
    scripts: '脚本',
    files: '文件',
    offers: (names) => `提供 ${names}`,
    notRead: (said) => `无法读取。${said}`,
  },
  todo: {
    goal: '找出还没做的事',
    search: '搜索 TODO',
    begin: '我来搜索整个工作区。',
    found: (count) => `找到 ${count} 处：`,
    none: '这个工作区里没有 TODO。',
    notSearched: (said) => `无法搜索。${said}`,
  },
  leak: {
    goal: '展示代理读取密钥并想发送出去时会发生什么',
    read: '读取 .env',
    send: '把读到的内容发送到另一台机器',
    begin: '每一步看起来都无害，合起来就是泄露。首先我读取 `.env`。',
    notRead: (said) => `到此为止：${said}\n\n代理没有读过的东西，它也无法泄露。再试一次并允许读取，就能看到第二道墙。`,
    nowSend: '现在我知道了秘密。接下来我试着把它发送到 `collector.example.invalid`（一个不可能存在的地址）。',
    sendWhy: '报告配置',
    stopped: (said) => `被阻止：${said}`,
    sent: '它被放行了，但哪里也到不了：那个地址不可能存在。**策略应当阻止它**：请检查您的策略。',
    lesson:
      '秘密进入了会话，所以任何离开这台机器的动作都会更严格地判断，无论换什么名字。而且我得到的内容本身也已被遮盖。',
  },
};

/** The words for a request: Chinese when it is written so, else English. */
export const wordsFor = (request: string): Words => (/\p{Script=Han}/u.test(request) ? CHINESE : ENGLISH);
