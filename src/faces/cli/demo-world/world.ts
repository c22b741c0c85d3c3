import { cliErrors } from '../errors.ts';
import type { Connection, Host } from '../host.ts';
import { ask, type Body } from '../operation.ts';
import { fillGovernance } from './governance.ts';
import { fillMemory } from './memory.ts';
import { fillRelay } from './relay.ts';
import { fillRun } from './run.ts';
import { sendTraces } from './traces.ts';
import { fillWork } from './work.ts';

/** Whoever asks operations in the demo: a person or an agent, with a key of its own. */
export interface Actor {
  readonly id: string;
  readonly token: string;
  ask(name: string, flat: Readonly<Record<string, unknown>>): Promise<Body>;
}

export interface World {
  readonly url: string;
  /** A store of the demo's own: the person who looks has no memories in it yet. */
  readonly own: boolean;
  readonly now: number;
  /** Where the repository of the run may lie. */
  readonly folder: string;
  /** Where the server keeps what it knows of runs. */
  readonly dataDir: string;
  readonly owner: Actor;
  /** Id of a project of the demo, by its short name. */
  project(name: ProjectName): string;
  /** An agent with a key for one project. */
  agent(id: string, project: ProjectName | 'default'): Promise<Actor>;
  /** A program with these scopes in one project. */
  script(id: string, project: ProjectName, scopes: readonly string[]): Promise<Actor>;
}

export type ProjectName = 'webshop' | 'support' | 'platform';

const PROJECTS: readonly (readonly [ProjectName, string, string])[] = [
  ['webshop', 'Webshop', 'Checkout, catalogue and payments.'],
  ['support', 'Support desk', 'Tickets, refunds and what customers are told.'],
  ['platform', 'Platform', 'Build, staging and the on-call runbooks.'],
];

export interface Filling {
  /** The running server, as its owner. */
  readonly owner: Connection;
  /** Fires when nobody wants it any more. */
  readonly signal: AbortSignal;
  readonly folder: string;
  readonly dataDir: string;
  /** Set before the ids of projects in a store that is in use, so that nothing of it is mixed with the demo's. */
  readonly prefix: string;
  readonly say: (line: string) => void;
}

/** How the agents of the relay are stopped, once nobody looks any more. */
export type Close = () => Promise<void>;

/** Three projects at work, through the same operations that everybody uses: nothing is written behind the store. */
export async function fillWorld(host: Host, filling: Filling): Promise<Close> {
  const { owner: connection, prefix, signal, say } = filling;
  const url = connection.where;
  const open: Connection[] = [];
  const asking = (id: string, token: string, over: Connection): Actor => ({
    id,
    token,
    ask: (name, flat) => ask(over, host, name, flat),
  });
  const owner = asking('owner', '', connection);
  const made = new Map<string, Promise<Actor>>();

  async function newActor(id: string, project_id: string, grant: object): Promise<Actor> {
    const { token } = await owner.ask('keys.create', {
      actor_id: id,
      label: 'baton demo world',
      projects: [project_id],
      default_project: project_id,
      ...grant,
    });
    const over = await host.connect({ ...host.settings, url, token });
    open.push(over);
    return asking(id, token, over);
  }
  function once(id: string, project_id: string, grant: object): Promise<Actor> {
    const key = `${id} ${project_id}`;
    const found = made.get(key) ?? newActor(id, project_id, grant);
    made.set(key, found);
    return found;
  }
  const idOf = (name: ProjectName | 'default') => (name === 'default' ? name : `${prefix}${name}`);
  const world: World = {
    ...filling,
    owner,
    url,
    own: prefix === '',
    now: Date.now(),
    project: idOf,
    agent: (id, name) => once(id, idOf(name), { actor_type: 'agent' }),
    script: (id, name, scopes) => once(id, idOf(name), { actor_type: 'script', scopes }),
  };

  let close: Close = async () => {};
  const steps: readonly (readonly [words: string, fill: () => Promise<unknown>])[] = [
    ['three projects', () => makeProjects(world)],
    ['work, decisions and facts', () => fillWork(world)],
    ['policies, a denied action and approvals', () => fillGovernance(world)],
    ['memories and proposals', () => fillMemory(world)],
    [
      'three agents that talk through the relay',
      async () => {
        close = await fillRelay(world);
      },
    ],
    ['traces of a week', () => sendTraces(world)],
    ['a run that waits at a gate', () => fillRun(world)],
  ];
  try {
    for (const [words, fill] of steps) {
      signal.throwIfAborted();
      say(words);
      await fill();
    }
    return close;
  } catch (error) {
    await close();
    throw error;
  } finally {
    await Promise.all(open.map((each) => each.close()));
  }
}

async function makeProjects({ owner, own, project }: World): Promise<void> {
  const known = await owner.ask('projects.list', {});
  for (const [name, title, description] of PROJECTS) {
    const project_id = project(name);
    if (known.some((each: { readonly project_id: string }) => each.project_id === project_id)) {
      throw cliErrors.bad_arguments({
        message: `The demo is here already: there is a project ${project_id}.`,
      });
    }
    await owner.ask('projects.create', {
      project_id,
      name: own ? title : `${title} (demo)`,
      description: `${description} Made by \`baton demo world\`.`,
    });
  }
}
