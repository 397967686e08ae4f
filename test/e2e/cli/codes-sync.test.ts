// `latchkey codes sync` as it is packed, killed in the middle of its work: run again, it goes on where it was, and doubles nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { Household, type Running } from './household.ts';

const FILE = `# Who may come in at the front.
- { lock: Front door, name: Ann, code: 0417, schedule: always }
- { lock: Front door, name: Ben, code: $BEN, schedule: always }
- lock: Front door
  name: Cleaner
  code: "5561"
  schedule: Mon,Wed 08:00-11:00
`;

const requests = z.array(z.object({ method: z.string(), url: z.string(), body: z.string().nullable() }));

it('a YAML file of codes goes on where the command, which owned the account, was killed at its second code', async () => {
  const household = await Household.open();
  onTestFinished(async () => household.leave());
  await household.link();
  vi.stubEnv('BEN', '8842');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const file = join(household.folder, 'codes.yaml');
  writeFileSync(file, FILE);
  const sync = (): Running => household.latchkey('codes', 'sync', file, '--yes');
  const first = sync();
  await first.line(/Front door, Ben: the lock is working/u);
  first.child.kill('SIGKILL');
  await first.status();
  const second = sync();
  expect(await second.status()).toBe(0);
  const third = sync();
  expect([await third.status(), third.err.endsWith('Nothing to do.\n')]).toEqual([0, true]);
  const { world, controlUrl } = household.simulator;
  const front = world.deviceIds().find((id) => world.inspect(id).name === 'Front door') ?? '';
  const onLock = world.inspect(front).codesOnLock.map(({ name, code }) => `${name} ${code}`);
  expect(onLock.sort()).toEqual(['Ann 0417', 'Ben 8842', 'Cleaner 5561']);
  const asked = requests.parse(await (await fetch(`${controlUrl}/requests`)).json());
  const additions = asked.filter(
    ({ method, body }) => method === 'POST' && body?.includes('"AddAccessCode"'),
  );
  expect(additions).toHaveLength(3);
  const said = household.said.map(({ out, err }) => out + err).join('\n');
  expect(said).not.toMatch(/0417|8842|5561/u);
});
