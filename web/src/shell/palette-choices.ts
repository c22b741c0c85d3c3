import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../api/client.ts';
import { maySee, useMe } from '../api/session.ts';
import { kindWords } from '../inbox/state-words.ts';
import { useProject } from '../projects/use-project.ts';
import type { IconName } from '../ui/icon.tsx';
import { shortId, titleWords } from '../ui/id-words.ts';
import { usePages } from './navigation.tsx';
import { setTheme } from './theme.ts';

export interface Choice {
  readonly key: string;
  readonly label: string;
  /** What kind of thing it is, or where it stands. */
  readonly note: string;
  readonly icon: IconName;
  readonly run: () => void;
}

export interface Found {
  readonly choices: readonly Choice[];
  /** The server has not answered all of it yet. */
  readonly looking: boolean;
}

const EACH = 5;

/** Pages and commands at once; everything that is kept, as soon as the server has answered. */
export function useChoices(query: string, words: string): Found {
  const commands = useCommands(query);
  const found = useSearches(words);
  const looking = query.trim() !== words || found.looking;
  return { choices: [...commands, ...(words === '' ? [] : found.choices)], looking };
}

function useGo() {
  const navigate = useNavigate();
  return (to: string, search?: Record<string, string | undefined>) => () =>
    void navigate({ to, search } as never);
}

function useCommands(query: string): Choice[] {
  const go = useGo();
  const wanted = query.toLowerCase().split(/\s+/);
  const commands = [
    ...usePages().map(({ path, label, icon, also }) => ({
      label,
      icon,
      note: 'Page',
      words: `${label} ${also ?? ''}`,
      run: go(path),
    })),
    command('Create a project', 'plus', 'create new project', go('/connect')),
    command(
      'Load an Atlas',
      'upload',
      'load atlas drop rules workbench',
      go('/policies', { view: 'workbench' }),
    ),
    command('Light theme', 'sun', 'light theme bright', () => setTheme('light')),
    command('Dark theme', 'moon', 'dark theme night', () => setTheme('dark')),
    command('System theme', 'system', 'system theme auto', () => setTheme('system')),
  ];
  return commands
    .filter(({ words }) => wanted.every((word) => words.toLowerCase().includes(word)))
    .map(({ words: _, ...choice }) => ({ key: `command ${choice.label}`, ...choice }));
}

const command = (label: string, icon: IconName, words: string, run: () => void) => ({
  label,
  icon,
  note: 'Command',
  words,
  run,
});

/** An id is one word with a number in it; a phrase is none. */
const looksLikeId = (words: string) => /^\S{6,}$/.test(words) && /[\d_:#-]/.test(words);

function useSearches(words: string): Found {
  const me = useMe();
  const go = useGo();
  const [project] = useProject();
  const asked = (scope: string, extra = true) => ({
    enabled: words !== '' && extra && maySee(me, scope),
    retry: false,
  });

  const byId = useQuery({
    queryKey: ['palette', 'id', words],
    queryFn: ({ signal }) =>
      client.call('why.explain', { id: words, depth: 1 }, { signal }).catch(() => null),
    ...asked('why:read', looksLikeId(words)),
  });
  const texts = useQuery({
    queryKey: ['palette', 'texts', words],
    queryFn: ({ signal }) => client.call('context.search', { query: words, limit: 8 }, { signal }),
    ...asked('search:read'),
  });
  const items = useQuery({
    queryKey: ['palette', 'inbox', words],
    queryFn: ({ signal }) => client.call('inbox.list', { words, limit: EACH }, { signal }),
    ...asked('inbox:read'),
  });
  const sessions = useQuery({
    queryKey: ['palette', 'sessions', project, words],
    queryFn: ({ signal }) => client.call('relay.sessions', { project, words, limit: EACH }, { signal }),
    ...asked('trace:read'),
  });
  const memories = useQuery({
    queryKey: ['palette', 'memories', words],
    // Whoever has no profile has no memories to find.
    queryFn: ({ signal }) =>
      client.call('memory.recall', { query: words, limit: EACH }, { signal }).catch(() => null),
    ...asked('memory:own'),
  });
  const peers = useQuery({
    queryKey: ['palette', 'peers'],
    queryFn: ({ signal }) => client.call('relay.peers', {}, { signal }),
    ...asked('relay:send'),
  });
  const repositories = useQuery({
    queryKey: ['palette', 'repositories', project],
    queryFn: ({ signal }) => client.call('delivery.repositories', { project_id: project }, { signal }),
    ...asked('delivery:read'),
  });
  const has = (text: string) => text.toLowerCase().includes(words.toLowerCase());

  const named = (sessions.data?.items ?? []).map(({ session_id }) => ({
    key: `session ${session_id}`,
    label: session_id,
    note: 'Session',
    icon: 'trace' as const,
    run: go('/traces', { session: session_id }),
  }));
  const choices: Choice[] = [
    // Whoever types a whole name means that session.
    ...named.filter(({ label }) => label === words),
    ...(byId.data
      ? [
          {
            key: `id ${words}`,
            label: `Why ${byId.data.kind.replaceAll('_', ' ')} ${shortId(words)}?`,
            note: `Id in ${byId.data.project_id}`,
            icon: 'why' as const,
            run: go('/why', { id: words, kind: byId.data.kind === 'event' ? undefined : byId.data.kind }),
          },
        ]
      : []),
    ...(items.data?.items ?? []).map((item) => ({
      key: `item ${item.id}`,
      label: titleWords(item.title),
      note: kindWords(item.kind),
      icon: 'inbox' as const,
      run: go('/inbox', { item: item.id }),
    })),
    ...(texts.data?.hits ?? []).map((hit) => ({
      key: `${hit.collection} ${hit.id} ${hit.field}`,
      label: hit.title ?? hit.text,
      note: kindWords(hit.collection),
      icon:
        hit.collection === 'package'
          ? ('context' as const)
          : hit.collection === 'fact'
            ? ('clock' as const)
            : ('trace' as const),
      run:
        hit.collection === 'package'
          ? go('/context', { project: hit.project_id, package: hit.id })
          : go('/why', { id: hit.id, kind: hit.collection }),
    })),
    ...(memories.data?.memories ?? []).map(({ memory }) => ({
      key: `memory ${String(memory.id)}`,
      label: String(memory.content ?? memory.id),
      note: 'Memory',
      icon: 'memory' as const,
      run: go('/memory', { memory: String(memory.id) }),
    })),
    ...named.filter(({ label }) => label !== words),
    ...(peers.data?.items ?? [])
      .filter(({ id }) => has(id))
      .slice(0, EACH)
      .map(({ id }) => ({
        key: `peer ${id}`,
        label: id,
        note: 'Peer',
        icon: 'agent' as const,
        run: go('/traces', { q: id }),
      })),
    ...(repositories.data?.repositories ?? [])
      .filter(({ id, root }) => has(`${id} ${root}`))
      .slice(0, EACH)
      .map(({ id, root }) => ({
        key: `run ${id}`,
        label: root,
        note: 'Run',
        icon: 'run' as const,
        run: go('/runs', { repository: id }),
      })),
  ];
  const queries = [byId, texts, items, sessions, memories, peers, repositories];
  return { choices, looking: queries.some(({ isFetching }) => isFetching) };
}
