// A process that owns an account and keeps it, as the plugin does: for tests of those that come to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { App } from '../../../src/app/app.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { configOf } from '../../support/checked-config.ts';

const configFile = z.object({ platforms: z.tuple([z.looseObject({})]) });

const homebridgeFolder = z.string().parse(process.argv[2]);
const [block] = configFile.parse(
  JSON.parse(readFileSync(join(homebridgeFolder, 'config.json'), 'utf8')),
).platforms;
const config = configOf(block);
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const app = new App({
  config,
  homebridgeFolder,
  clock: systemClock,
  log: { debug: say, info: say, warn: say, error: say },
  random: () => 0,
  resident: true,
  onAskedToStepBack: () => false,
});
const alive = setInterval(() => {}, 60_000);
process.once('SIGTERM', () => {
  clearInterval(alive);
  void app.dispose();
});
await app.start();
say('owned');
