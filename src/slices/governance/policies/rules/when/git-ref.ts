/** The refs that one text may name: git and its users know the same branch by several names. */
import { globMatcher } from '../../../../../kernel/glob.ts';
import type { Outcome } from './outcome.ts';
import { plainText } from './plain-text.ts';

/** A place in history, what stands for a branch that only the repository knows, a pattern, or nothing that git takes. */
const NO_NAME = /^(?:@|-.*|(?:[A-Z]+_)?HEAD)$|@\{|\.\.|[\s^~*?[\\]|\/\/|^\/|\/$|^[0-9a-f]{7,64}$/i;
/** What people call their remotes, where nothing else tells. */
const USUAL_REMOTE = /^refs\/heads\/(?:origin|upstream)\//;

export interface GitRef {
  /** From `refs/` on. */
  readonly name: string;
  /** Nothing in the text says that it is a branch; git would take a tag of that name, too. */
  readonly plain: boolean;
}

/**
 * Every reading as a whole ref: `main`, `heads/main` and `+HEAD:main`, which writes it, are `refs/heads/main`. None where
 * it may be any branch.
 */
export function readGitRef(text: string): GitRef[] {
  const readings: GitRef[] = [];
  for (const spelling of new Set([text, plainText(text)])) {
    const ref = wholeRef(spelling);
    if (!ref) return [];
    readings.push(ref);
    if (USUAL_REMOTE.test(ref.name))
      readings.push({ name: ref.name.replace(USUAL_REMOTE, 'refs/heads/'), plain: false });
  }
  return readings;
}

function wholeRef(text: string): GitRef | undefined {
  const [written, ...more] = text.replace(/^\+/, '').split(':').reverse();
  if (written === undefined || written === '' || more.length > 1 || NO_NAME.test(written)) return undefined;
  if (written.startsWith('refs/')) return { name: written, plain: false };
  const plain = !/^(?:heads|tags|remotes)\//.test(written);
  return { name: plain ? `refs/heads/${written}` : `refs/${written}`, plain };
}

/** A glob is about branches, here and on a remote, unless it begins with `refs/`. Or what is wrong with it. */
export function refTest(glob: string): ((ref: GitRef, ignoreCase: boolean) => Outcome) | string {
  if (/[\s:^~\\]|^\+|^refs\/?$/.test(glob))
    return `${glob} is no name of a branch: main, release/*, refs/tags/*`;
  const [exact, folded] = [globMatcher(glob), globMatcher(glob.toLowerCase())];
  const fits = (name: string, ignoreCase: boolean) => (ignoreCase ? folded(name.toLowerCase()) : exact(name));
  return ({ name, plain }, ignoreCase) => {
    if (glob.startsWith('refs/')) {
      if (fits(name, ignoreCase)) return true;
      return plain && fits(name.replace('/heads/', '/tags/'), ignoreCase) ? 'unclear' : false;
    }
    const branch = /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/s.exec(name)?.[1];
    if (branch !== undefined) return fits(branch, ignoreCase);
    // A server may make a branch of what is pushed elsewhere, as of refs/for/main.
    return name.startsWith('refs/tags/') ? false : 'unclear';
  };
}
