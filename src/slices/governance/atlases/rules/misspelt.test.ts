/** One word of an Atlas is misspelt: it must not load in silence and allow more than it did. */
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { compileSchema } from '../../execution/compile-schema.ts';
import { type CompiledAction, compilePolicies, PHASES } from '../../policies/rules/compile.ts';
import { type DecisionInput, decide } from '../../policies/rules/decide.ts';
import { SAMPLE_ATLASES } from '../../testing/sample-atlases.ts';
import { inputSpace } from '../analysis/input-space.ts';
import { checkManifest } from '../check.ts';
import type { Atlas } from './atlas.ts';
import { parseManifest } from './parse.ts';

type Tree = Record<string, unknown> | unknown[];
interface Token {
  readonly holder: readonly (string | number)[];
  readonly key: string | number;
  readonly text: string;
  readonly isName: boolean;
}

/** Words of the author's own: another one is another rule, and no misspelling that anybody could see. */
const OWN_WORDS = new Set([
  'reason',
  'name',
  'description',
  'unit',
  'approvers',
  'agents',
  'license',
  'authors',
  'domains',
  'regex',
  'path_within',
  'of',
  'required_scopes',
]);

function tokensOf(value: unknown, path: readonly (string | number)[] = []): Token[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, member]): Token[] => {
    const name: Token[] = typeof key === 'string' ? [{ holder: path, key, text: key, isName: true }] : [];
    const own = [...path, key].some((step) => typeof step === 'string' && OWN_WORDS.has(step));
    const text: Token[] =
      typeof member === 'string' && !own ? [{ holder: path, key, text: member, isName: false }] : [];
    return [...name, ...text, ...tokensOf(member, [...path, key])];
  });
}

/** A generator with a seed: the same words are misspelt in the same way in every run. */
function generator(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function misspell(word: string, random: (below: number) => number): string {
  const at = random(word.length);
  const letter = 'abcdefghijklmnopqrstuvwxyz'[random(26)] as string;
  const kinds = [
    () => word.slice(0, at) + word.slice(at + 1),
    () => word.slice(0, at) + letter + word.slice(at),
    () => word.slice(0, at) + letter + word.slice(at + 1),
    () => word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
    () => word.toUpperCase(),
  ];
  return (kinds[random(kinds.length)] as () => string)();
}

function changed(manifest: object, { holder, key, isName }: Token, word: string): object {
  const copy = structuredClone(manifest);
  let at = copy as Tree;
  for (const step of holder) at = (at as Record<string | number, Tree>)[step] as Tree;
  if (!isName) (at as Record<string | number, unknown>)[key] = word;
  else {
    const entries = Object.entries(at).map(([name, value]) => [name === key ? word : name, value]);
    for (const name of Object.keys(at)) delete (at as Record<string, unknown>)[name];
    Object.assign(at, Object.fromEntries(entries));
  }
  return copy;
}

function check(manifest: unknown) {
  return checkManifest(parseManifest(manifest), nodeHasher);
}

const STRICTNESS = { allow: 0, require_approval: 1, deny: 2 };

/** A call that the second Atlas lets through more easily than the first. */
function widened(before: Atlas, after: Atlas): DecisionInput | undefined {
  const [old, fresh] = [before, after].map((atlas) => compilePolicies([{ atlas, mode: 'enforce' }]));
  for (const id of fresh?.actionIds ?? []) {
    const [was, is] = [old?.action(id), fresh?.action(id)] as (CompiledAction | undefined)[];
    if (!is) continue;
    const candidates = [was, is].flatMap((action) =>
      PHASES.flatMap((phase) => action?.candidates[phase] ?? []),
    );
    let valid: ((parameters: unknown) => boolean) | undefined;
    const accepts = ({ parameters }: DecisionInput) => {
      valid ??= compileSchema(is.action.parameters_schema ?? {}, 'linear');
      return parameters === undefined || valid(parameters);
    };
    for (const input of inputSpace(candidates, 0).inputs.filter((_, at) => at % 7 === 0)) {
      const strictness = (action: CompiledAction | undefined) => {
        if (!action) return [3, 0];
        const verdict = decide(action, input);
        return [STRICTNESS[verdict.effect], verdict.limits.length];
      };
      const [a, b] = [strictness(was), strictness(is)];
      const wider =
        (b[0] as number) < (a[0] as number) ||
        (b[0] === a[0] && b[0] !== 2 && (b[1] as number) < (a[1] as number));
      if (wider && accepts(input)) return input;
    }
  }
  return undefined;
}

describe('a misspelt word', () => {
  const random = generator(20_261_118);
  const all = SAMPLE_ATLASES.flatMap((manifest) => tokensOf(manifest).map((token) => ({ manifest, token })));
  const cases = Array.from({ length: 500 }, () => all[random(all.length)] as (typeof all)[number]);

  it('finds samples with nothing to say against them', () => {
    for (const manifest of SAMPLE_ATLASES) expect(check(manifest).findings).toEqual([]);
  });

  it('is said, or allows no more than before: 500 of them', () => {
    let said = 0;
    const silent: string[] = [];
    for (const { manifest, token } of cases) {
      const word = misspell(token.text, random);
      if (word === token.text) continue;
      const { atlas, findings } = check(changed(manifest, token, word));
      if (findings.length > 0) {
        said += 1;
        continue;
      }
      const call = atlas && widened(check(manifest).atlas as Atlas, atlas);
      if (call)
        silent.push(`${[...token.holder, token.key].join('.')}: ${word} ${JSON.stringify(call.parameters)}`);
    }
    expect(silent).toEqual([]);
    expect(said).toBeGreaterThan(300);
  });
});
