/** The package of a session that deposited nothing itself: what can be known without a model. Pure. */
import { inline, quoted } from '../../../kernel/quoted.ts';
import type { DepositDraft } from '../ports.ts';
import { isTest } from './outcomes.ts';
import type { Activity } from './store.ts';

export interface GitState {
  readonly head?: string | undefined;
  readonly branch?: string | undefined;
  readonly changed?:
    | readonly {
        readonly path: string;
        readonly added?: number | null | undefined;
        readonly removed?: number | null | undefined;
        /** When it was last written, in milliseconds. */
        readonly at?: number | null | undefined;
      }[]
    | undefined;
  readonly commits?:
    | readonly { readonly id: string; readonly at: number; readonly title: string }[]
    | undefined;
}

export interface SessionRecord {
  readonly clientTitle: string;
  readonly clientName: string;
  readonly sessionId: string;
  readonly author: { readonly id: string; readonly type: string };
  readonly number: number;
  readonly parent: string | null;
  readonly activity: readonly Activity[];
  /** Commits made since the session began. */
  readonly commits: readonly { readonly id: string; readonly title: string }[];
  readonly git: GitState;
  /** Files that were written while the session ran, by nobody else that is known of. */
  readonly writtenMeanwhile: readonly string[];
  /** Inbox items of the session that nobody has answered. */
  readonly waiting: readonly string[];
}

const MOST_FILES = 40;
const MOST_COMMANDS = 25;
const MOST_PROMPTS = 12;
const MOST_TITLE = 160;

export function autoPackage(record: SessionRecord): DepositDraft {
  const { activity, commits, git } = record;
  const prompts = activity.filter(({ kind }) => kind === 'prompt');
  const commands = activity.filter(({ kind }) => kind === 'command');
  const files = changedFiles(record);
  const words = activity.findLast(({ kind }) => kind === 'message')?.text;
  const decisions = decisionsIn([
    ...prompts.map(({ text }) => text),
    ...(words === undefined ? [] : [words]),
  ]);
  const questions = openQuestions(record, words);
  const tests = lastOfEach(commands.filter(({ text }) => isTest(text)));
  const [commit] = commits;
  return {
    package_id: `auto.${record.sessionId}.${record.number}`,
    package_type: 'auto_deposit',
    title: titleOf(record, prompts, files),
    description: [
      prompts.length > 0 ? `Asked: ${inline(prompts.at(-1)?.text ?? '', 240)}` : undefined,
      files.length > 0 ? `Changed: ${listed(files.map(fileText), 12)}` : undefined,
      tests.length > 0 ? `Tests: ${listed(tests.map(commandText), 4)}` : undefined,
      commits.length > 0 ? `Committed: ${listed(commits.map(commitText), 5)}` : undefined,
      failed(commands).length > 0
        ? `Failed: ${listed(
            failed(commands).map(({ text }) => inline(text, 100)),
            4,
          )}`
        : undefined,
      words === undefined ? undefined : `Last words: ${inline(words, 400)}`,
    ]
      .filter((line) => line !== undefined)
      .join('\n'),
    content_md: contentOf({ prompts, commands, files, words, record }),
    ...(decisions.length > 0 && { decisions_made: decisions }),
    ...(questions.length > 0 && { open_questions: questions }),
    ...(files.length > 0 && {
      deliverables: files.slice(0, MOST_FILES).map(({ path }) => ({ path, type: 'file' })),
    }),
    ...(record.parent !== null && { parent_package_id: record.parent }),
    tags: ['auto', record.clientName],
    significance: 3,
    created_by: {
      ...record.author,
      session_id: record.sessionId,
      ...((commit?.id ?? git.head) !== undefined && { git_commit: commit?.id ?? git.head }),
    },
  };
}

interface ChangedFile {
  readonly path: string;
  readonly added?: number | null | undefined;
  readonly removed?: number | null | undefined;
}

/** What the session touched, with what git shows of it; where no call tells that, what was written meanwhile. */
function changedFiles({ activity, git, writtenMeanwhile }: SessionRecord): ChangedFile[] {
  const shown = new Map((git.changed ?? []).map((file) => [file.path, file]));
  const touched = activity.filter(({ kind }) => kind === 'file').flatMap(({ text }) => text.split(', '));
  const paths = touched.length > 0 ? [...new Set(touched)] : writtenMeanwhile;
  return paths.slice(0, MOST_FILES * 5).map((path) => ({ path, ...shown.get(path) }));
}

function titleOf(
  { clientTitle, commits }: SessionRecord,
  prompts: readonly Activity[],
  files: readonly ChangedFile[],
): string {
  const [first] = prompts;
  const about =
    first !== undefined
      ? inline(first.text.trim().split('\n')[0] ?? '', MOST_TITLE)
      : commits[0] !== undefined
        ? inline(commits[0].title, MOST_TITLE)
        : files.length > 0
          ? `changed ${files.length} ${files.length === 1 ? 'file' : 'files'}`
          : 'worked';
  return `${clientTitle}: ${about || 'worked'}`;
}

function contentOf(parts: {
  readonly prompts: readonly Activity[];
  readonly commands: readonly Activity[];
  readonly files: readonly ChangedFile[];
  readonly words: string | undefined;
  readonly record: SessionRecord;
}): string {
  const { prompts, commands, files, words, record } = parts;
  const sections: string[] = [];
  const add = (title: string, lines: readonly string[], most: number) => {
    if (lines.length === 0) return;
    const left = lines.length - most;
    sections.push(
      `## ${title}\n\n${lines.slice(-most).join('\n')}${left > 0 ? `\n(and ${left} before)` : ''}`,
    );
  };
  add(
    'Asked',
    prompts.map(({ text }) => `${quoted(text, 1000)}\n`),
    MOST_PROMPTS,
  );
  add(
    'Files',
    files.map((file) => `- ${fileText(file)}`),
    MOST_FILES,
  );
  add(
    'Commands',
    commands.map((command) => `- ${commandText(command)}`),
    MOST_COMMANDS,
  );
  add(
    'Commits',
    record.commits.map((commit) => `- ${commitText(commit)}`),
    30,
  );
  if (words !== undefined) sections.push(`## Last words of the agent\n\n${quoted(words, 2000)}`);
  return `${sections.join('\n\n')}\n`;
}

function fileText({ path, added, removed }: ChangedFile): string {
  const count = typeof added === 'number' || typeof removed === 'number';
  return `${inline(path, 200)}${count ? ` (+${added ?? 0} −${removed ?? 0})` : ''}`;
}

function commandText({ text, ok, detail }: Activity): string {
  const outcome = ok === null ? '' : ok ? ': ok' : ': failed';
  return `${inline(text, 160)}${outcome}${detail === null ? '' : ` (${inline(detail, 160)})`}`;
}

function commitText({ id, title }: { readonly id: string; readonly title: string }): string {
  return `${id.slice(0, 10)} ${inline(title, 120)}`;
}

function listed(items: readonly string[], most: number): string {
  const left = items.length - most;
  return `${items.slice(0, most).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** How each command went the last time it was run. */
function lastOfEach(commands: readonly Activity[]): Activity[] {
  return [...new Map(commands.map((each) => [each.text, each])).values()];
}

function failed(commands: readonly Activity[]): Activity[] {
  return lastOfEach(commands).filter(({ ok, text }) => ok === false && !isTest(text));
}

/** What the session itself shows to be open. Nothing is concluded from what was said, but a question that ends it. */
function openQuestions({ activity, waiting }: SessionRecord, words: string | undefined): string[] {
  const commands = activity.filter(({ kind }) => kind === 'command');
  const broken = lastOfEach(commands.filter(({ text }) => isTest(text))).filter(({ ok }) => ok === false);
  const asked = words?.trim().endsWith('?') ? (sentences(words).at(-1) ?? undefined) : undefined;
  return [
    ...broken.slice(0, 3).map(({ text }) => `${inline(text, 160)} failed when it was last run.`),
    ...waiting.slice(0, 5).map((item) => `${item} waits for a person.`),
    ...(asked === undefined ? [] : [inline(asked, 300)]),
  ];
}

const DECIDES =
  /\b(?:decid(?:e|ed|ing)|decision|we(?:'ll| will| should)? (?:use|keep|go with|drop|switch)|(?:chose|chosen|choose|picked|prefer(?:red)?) |instead of|from now on|always use|never use|let'?s use|rather than)\b/i;
const MOST_DECISIONS = 6;

/** Sentences that say that something was decided, in the words of whoever said it. */
function decisionsIn(texts: readonly string[]): string[] {
  const found = texts.flatMap(sentences).filter((sentence) => DECIDES.test(sentence));
  return [...new Set(found.map((sentence) => inline(sentence, 300)))].slice(-MOST_DECISIONS);
}

function sentences(text: string): string[] {
  return text
    .slice(0, 8_000)
    .split(/(?<=[.!?])\s+|\n+/)
    .map((each) => each.trim())
    .filter((each) => each.length > 2);
}
