// `npm start`: the whole thing at work. Plays the tour; with a terminal it then stays up to be looked at.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../harness/free-port.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import { Stage } from '../harness/stage.ts';
import { POLL_SECONDS } from './acts.ts';
import { playSteps } from './step.ts';
import { steps } from './steps.ts';

/** Where a person finds the simulated doors; without a terminal any free port will do. */
const DOORS_PORT = 4790;

const USAGE = `npm start -- [--once] [--port N]

  --once    end after the tour, with status 0 when every step passed, else 1 (the default without a terminal)
  --port N  port of the simulated service and its doors page (default: ${DOORS_PORT} with a terminal, else a free one)
  --help    this text`;

interface Wishes {
  readonly once: boolean;
  readonly port: number;
  readonly panelPort: number;
}

async function readWishes(): Promise<Wishes | undefined> {
  const { values } = parseArgs({
    options: {
      once: { type: 'boolean', default: !process.stdout.isTTY },
      port: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    return undefined;
  }
  const port = Number(values.port ?? (process.stdout.isTTY ? DOORS_PORT : await freePort()));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port needs a number from 1 to 65535, not "${values.port}".`);
  }
  return { once: values.once, port, panelPort: await freePort() };
}

async function tour({ once: endsAfterwards, port, panelPort }: Wishes, folder: string): Promise<boolean> {
  console.log('Packing the plugin and starting the simulated service and Homebridge ...');
  const stage = await Stage.open({
    folder,
    pluginsFolder: packPlugin(folder).pluginsFolder,
    simulatorPort: port,
    options: { polling: { idleSeconds: POLL_SECONDS }, panel: { enabled: true, port: panelPort } },
  });
  try {
    console.log(`The plugin runs in a real Homebridge; it asks the service every ${POLL_SECONDS} s.\n`);
    const passed = await playSteps(stage, steps, console.log);
    console.log(`\n${passed} of ${steps.length} steps passed`);
    if (!endsAfterwards) {
      await stayUp(stage, panelPort);
    }
    return passed === steps.length;
  } finally {
    await stage.close();
  }
}

async function stayUp(stage: Stage, panelPort: number): Promise<void> {
  console.log(`
Everything stays up until Ctrl-C:
  The simulated doors, to turn by hand:  ${stage.simulator.url}
  The plugin's own pages:                http://127.0.0.1:${panelPort}
  Homebridge's folder (log, database):   ${stage.installation.storeFolder}`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

/** What went wrong before the tour could begin, and what to do about it. */
function advice(error: unknown, port: number): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.includes('EADDRINUSE')
    ? `Port ${port} is taken. Stop what uses it, or choose another: npm start -- --port ${port + 1}`
    : `The tour could not begin. ${message}`;
}

const folder = mkdtempSync(join(tmpdir(), 'latchkey-tour-'));
let wishes: Wishes | undefined;
try {
  wishes = await readWishes();
  if (wishes) {
    process.exitCode = (await tour(wishes, folder)) ? 0 : 1;
  } else {
    console.log(USAGE);
  }
} catch (error) {
  console.error(advice(error, wishes?.port ?? 0));
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
