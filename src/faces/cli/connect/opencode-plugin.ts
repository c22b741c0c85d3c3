/** How a file of ours is known again, whatever version wrote it. */
export const PLUGIN_MARK = '// Written by baton connect opencode.';

/**
 * opencode has no hook commands, only modules in its own process. This one keeps one `baton hook opencode` and hands it
 * every event, so that none costs the start of a process, and never lets a failure of Baton stop opencode.
 */
export function opencodePlugin(
  command: readonly string[],
  seconds: { readonly asked: number; readonly other: number },
): string {
  const words = JSON.stringify(command);
  return `${PLUGIN_MARK} \`baton disconnect opencode\` removes it.
import { spawn } from 'node:child_process';

const [program, ...args] = ${words};

let helper;
let count = 0;

/** One process for all events, started with the first and again if it ends. */
function startHelper() {
  const child = spawn(program, [...args, '--stay'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    const lines = (text + piece).split('\\n');
    text = lines.pop();
    for (const line of lines) {
      try {
        const { id, exit_code: code, stdout } = JSON.parse(line);
        waiting.get(id)?.(code === 0 && stdout ? JSON.parse(stdout) : {});
      } catch {
        child.kill();
      }
    }
  });
  const gone = () => {
    if (helper?.child === child) helper = undefined;
    for (const done of waiting.values()) done({});
  };
  child.on('error', gone).on('close', gone);
  child.stdin.on('error', () => undefined);
  return { child, waiting };
}

/** One event to Baton; what it answers, or nothing. */
function tell(message, seconds = ${seconds.other}) {
  return new Promise((done) => {
    try {
      helper ??= startHelper();
    } catch {
      return done({});
    }
    const { child, waiting } = helper;
    const id = count++;
    const answer = (given) => {
      clearTimeout(timer);
      waiting.delete(id);
      done(given);
    };
    const timer = setTimeout(() => answer({}), seconds * 1000);
    waiting.set(id, answer);
    child.stdin.write(JSON.stringify({ id, message }) + '\\n');
  });
}

export const Baton = async ({ directory }) => {
  const contexts = new Map();
  const parents = new Map();
  const words = new Map();
  const underWay = new Set();
  const told = (hook, session, input, output, seconds) =>
    tell({ hook, session, parent: parents.get(session), cwd: directory, input, output }, seconds);
  const follow = (telling) => {
    underWay.add(telling);
    return telling.finally(() => underWay.delete(telling));
  };
  /** What the deposit is made of must be there before it. */
  const close = async (hook, session) => {
    await Promise.all(underWay);
    await told(hook, session, {}, { text: words.get(session) });
  };
  const orient = async (hook, session) => {
    const { context } = await told(hook, session, {}, {});
    contexts.set(session, context ?? '');
  };
  return {
    event: async ({ event }) => {
      const info = event.properties?.info;
      const session = event.properties?.sessionID ?? info?.id;
      if (session === undefined) return;
      if (event.type === 'session.created') {
        if (info?.parentID) parents.set(session, info.parentID);
        await orient(event.type, session);
      }
      if (event.type === 'session.compacted') await orient(event.type, session);
      if (event.type === 'session.idle' || event.type === 'session.deleted') {
        await follow(close(event.type, session));
      }
    },
    'experimental.text.complete': async ({ sessionID }, { text }) => {
      words.set(sessionID, text);
    },
    'chat.message': async (input, output) => {
      const parts = output.parts.filter((part) => part.type === 'text' && !part.synthetic);
      const { context } = await told('chat.message', input.sessionID, input, { parts });
      if (context) {
        contexts.set(input.sessionID, [contexts.get(input.sessionID), context].filter(Boolean).join('\\n\\n'));
      }
    },
    // Part of every request, so that it is still there after a compaction.
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (sessionID === undefined) return;
      if (!contexts.has(sessionID)) await orient('session.created', sessionID);
      const text = contexts.get(sessionID);
      if (text) system.push(text);
    },
    'experimental.session.compacting': async (input) => {
      await told('experimental.session.compacting', input.sessionID, input, {});
    },
    'tool.execute.before': async (input, output) => {
      const { deny } = await told('tool.execute.before', input.sessionID, input, { args: output.args }, ${seconds.asked});
      if (deny) throw new Error(deny);
    },
    'tool.execute.after': async (input, output) => {
      void follow(told('tool.execute.after', input.sessionID, input, output));
    },
    // opencode waits for this before it exits, but not for its events.
    dispose: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
      helper?.child.stdin.end();
    },
  };
};
`;
}
