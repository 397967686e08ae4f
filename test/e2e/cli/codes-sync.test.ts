// `latchkey codes sync` as it is packed, killed at every stage of its work: it goes on where it was, and doubles nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Household, type Running } from './household.ts';

const NAMES = ['Ann', 'Ben', 'Cleaner', 'Dora'] as const;
const FILE = `# Who may come in at the front.
- { lock: Front door, name: Ann, code: 0417, schedule: always }
- { lock: Front door, name: Ben, code: $BEN, schedule: always }
- lock: Front door
  name: Cleaner
  code: "5561"
  schedule: Mon,Wed 08:00-11:00
- lock: Front door
  name: Dora
  code: 7390
  schedule: 2030-12-01 15:00 to 2030-12-05 11:00
`;

const requests = z.array(z.object({ method: z.string(), url: z.string(), body: z.string().nullable() }));

describe('latchkey codes sync of a YAML file', () => {
  let household: Household;
  let file: string;

  beforeEach(async () => {
    household = await Household.open();
    await household.link();
    file = join(household.folder, 'codes.yaml');
    writeFileSync(file, FILE);
    process.env['BEN'] = '8842';
  });

  afterEach(async () => {
    delete process.env['BEN'];
    await household.leave();
  });

  const sync = (...flags: readonly string[]): Running => household.latchkey('codes', 'sync', file, ...flags);

  /** The names that the service was asked to add, one for each time. */
  const added = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${household.simulator.controlUrl}/requests`);
    return requests
      .parse(await answer.json())
      .filter(({ method, body }) => method === 'POST' && body?.includes('"AddAccessCode"') === true)
      .map(({ body }) => NAMES.find((name) => body?.includes(name) === true) ?? '?');
  };

  const onLock = (): readonly string[] => {
    const { world } = household.simulator;
    const front = world.deviceIds().find((id) => world.inspect(id).name === 'Front door') ?? '';
    return world.inspect(front).codesOnLock.map(({ name, code }) => `${name} ${code}`);
  };

  /** What running it again comes to, and a third time. */
  const runAgain = async () => {
    const second = await sync('--yes').status();
    const third = sync('--yes');
    return {
      statuses: [second, await third.status()],
      isDone: third.err.endsWith('Nothing to do.\n'),
      codes: [...onLock()].sort(),
      added: [...(await added())].sort(),
    };
  };

  const AS_THE_FILE_SAYS = {
    statuses: [0, 0],
    isDone: true,
    codes: ['Ann 0417', 'Ben 8842', 'Cleaner 5561', 'Dora 7390'],
    added: [...NAMES],
  };

  const said = (): string => household.said.map(({ out, err }) => out + err).join('\n');

  it('that owns the account and is killed while the lock works on the second code goes on when it is run again', async () => {
    const first = sync('--yes');
    await first.line(/Front door, Ben: the lock is working/u);
    first.child.kill('SIGKILL');
    await first.status();
    expect(await runAgain()).toEqual(AS_THE_FILE_SAYS);
    expect(said()).not.toMatch(/0417|8842|5561|7390/u);
  });

  it('that is killed beside a running plugin leaves the whole file to the plugin', async () => {
    await household.owner();
    const first = sync('--yes');
    await first.line(/Front door, Ann: the lock is working/u);
    first.child.kill('SIGKILL');
    await first.status();
    await expect.poll(() => [...onLock()].sort(), { timeout: 60_000 }).toEqual(AS_THE_FILE_SAYS.codes);
    expect(await runAgain()).toEqual(AS_THE_FILE_SAYS);
    expect(said()).not.toMatch(/0417|8842|5561|7390/u);
  });
});
