import { join } from 'node:path';
import { installPackages } from '../install.ts';
import type { Machine } from '../machine.ts';
import { gemini as geminiWire } from '../model/gemini.ts';
import type { ClientProgram } from './program.ts';

const EVENTS = ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd'];
const OWN = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

const settingsOf = (machine: Machine) => join(machine.home, '.gemini', 'settings.json');

async function merge(machine: Machine, members: object): Promise<void> {
  const before = JSON.parse((await machine.read(settingsOf(machine))) ?? '{}') as object;
  await machine.write(settingsOf(machine), `${JSON.stringify({ ...before, ...members }, null, 2)}\n`);
}

const programOf = (folder: string) => join(folder, '@google', 'gemini-cli', 'bundle', 'gemini.js');

export const gemini: ClientProgram = {
  name: 'gemini',
  wire: geminiWire,
  fullContext: 900_000,
  install: () => installPackages('@google/gemini-cli'),
  hook: (machine, _repository, { program, args, timeoutSeconds }) =>
    merge(machine, {
      hooks: Object.fromEntries(
        EVENTS.map((event) => [
          event,
          [
            {
              hooks: [
                {
                  type: 'command',
                  name: `own-${event}`,
                  command: [program, ...args].join(' '),
                  timeout: timeoutSeconds * 1_000,
                },
              ],
            },
          ],
        ]),
      ),
    }),
  async putOn(folder, machine) {
    await merge(machine, OWN);
    await machine.program('gemini', process.execPath, [programOf(folder)]);
  },
  launch: (folder, _machine, { prompt, modelUrl, resume = false }) => ({
    command: process.execPath,
    args: [
      programOf(folder),
      '-p',
      prompt,
      '--output-format',
      'json',
      '--approval-mode',
      'yolo',
      '--skip-trust',
      ...(resume ? ['--resume', 'latest'] : []),
    ],
    env: { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: modelUrl },
  }),
};
