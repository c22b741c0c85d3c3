import pc from 'picocolors';
import type { RelayOptions, RunningServer } from '../faces/cli/host.ts';
import { readRelayBind, readRelaySettings, readSettingsFile } from '../slices/relay/settings.ts';
import { openApp } from './compose.ts';
import { appErrors } from './errors.ts';
import { createProcessLog } from './log.ts';
import { runningServer } from './running-server.ts';
import { serveApp } from './serve.ts';
import { findListeningServer } from './server-file.ts';
import type { Settings } from './settings.ts';
import { relayAloneSlice } from './slices/relay.ts';
import { VERSION } from './version.ts';

/** The relay alone. What the command line gives goes before the environment, and that before relay.json. */
export async function serveRelay(settings: Settings, given: RelayOptions): Promise<RunningServer> {
  const named = { ...readSettingsFile(settings.dataDir), ...settings.relay, ...given.named };
  const read = readRelaySettings(named);
  const relaySettings = { ...read, peers: { ...read.peers, ...given.peers } };
  const bound = { ...settings, ...readRelayBind(named) };
  const other = await findListeningServer(bound.dataDir);
  if (other) throw appErrors.already_running({ message: `A server is already running at ${other.url}.` });
  const app = await openApp(bound, {
    log: createProcessLog(bound.logLevel),
    slices: [relayAloneSlice(named, relaySettings)],
  });
  const server = await serveApp(app, bound).catch(async (error) => {
    await app.close();
    throw error;
  });
  const peers = Object.entries(relaySettings.peers).map(([name, url]) => `${name} (${url})`);
  process.stdout.write(
    [
      `${pc.bold('Baton relay')} ${VERSION} is up at ${pc.cyan(server.url)}`,
      '',
      `  agents     ${peers.join(', ') || pc.dim('none yet: --peer NAME=URL, or `baton relay register NAME URL`')}`,
      `  speak to   ${server.url}/a2a/NAME ${pc.dim('or')} ${server.url}/ ${pc.dim('with metadata["agent.target"]')}`,
      `  spans      ${relaySettings.exportUrl ?? pc.dim('kept here; --export URL sends them on')}`,
      `  see        ${pc.dim('`baton relay sessions`, `baton relay view SESSION`')}`,
      '',
      pc.dim('Press Ctrl+C to stop.'),
      '',
    ].join('\n'),
  );
  return runningServer(server);
}
