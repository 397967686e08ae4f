// The command line beside an owner that lives and does not answer: it says so, goes on looking, gives up in words, and sends
// nothing that has become too old meanwhile.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LockId } from '../../../../src/domain/locks/lock.ts';
import { accountPlace } from '../../../../src/installation/place.ts';
import { PANEL_FORM } from '../../../../src/panel/operations/panel-api.ts';
import { newSocketPath } from '../../../../src/panel/socket/path.ts';
import { openStorage } from '../../../../src/storage/storage.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { owner } from '../../panel/socket/ends.ts';
import { begin, containing, linkedHome } from '../terminal.ts';

const WAITING = `Process ${process.pid} owns the account and does not answer; waiting for it.\n`;

/** Operations that answer nothing until the owner goes on, and keep the requests to move. */
function slowOperations(goesOn: Promise<void>, id: LockId, requests: unknown[]) {
  const answer = async (result: unknown): Promise<unknown> => {
    await goesOn;
    return result;
  };
  const front = { id, description: { name: 'Front door' }, bolt: 'unsecured', target: null };
  return {
    status: async () => answer({ form: PANEL_FORM, link: 'linked', failing: null }),
    locks: async () => answer([front]),
    move: async (target: unknown) => {
      requests.push(target);
      return answer({ kind: 'already' });
    },
    'step-back': async () => answer({ steppedBack: false }),
  };
}

/** A home whose account has an owner that takes connections, and answers nothing until it goes on. */
async function heldUp() {
  const home = await linkedHome();
  await home.app.dispose();
  const { folder, databaseFile } = accountPlace(home.folder, home.config);
  const place = { path: databaseFile, clock: home.clock, log: silentLog };
  const storage = openStorage({ ...place });
  onTestFinished(() => {
    storage.close();
  });
  const path = newSocketPath(folder);
  storage.owner.take();
  storage.owner.announce(path);
  const requests: unknown[] = [];
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  await owner(slowOperations(promise, home.idOf('Front door'), requests), path);
  const forSeconds = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      await home.clock.advance(1_000);
    }
  };
  const run = (...words: readonly string[]) => begin(home, words, home.clock);
  const commands = async () => home.count('POST', 'commands');
  const plugin = { requests, goOn, giveBack: () => storage.owner.release(), forSeconds };
  return { home, plugin, run, commands };
}

describe('an owner that lives and does not answer', () => {
  it('is reported by every command after two seconds, and given up after some forty seconds with the reason', async () => {
    const { plugin, run, commands } = await heldUp();
    const all = [['locks'], ['lock', 'front'], ['unlock', 'front']].map((words) => run(...words));
    const errors = (): readonly string[] => all.map(({ said }) => said.err);
    await plugin.forSeconds(1);
    expect(errors()).toEqual(['', '', '']);
    await plugin.forSeconds(2);
    expect(errors()).toEqual([WAITING, WAITING, WAITING]);
    await plugin.forSeconds(27);
    expect(errors().slice(0, 2)).toEqual([WAITING, WAITING]);
    await plugin.forSeconds(20);
    for (const { ended } of all.slice(0, 2)) {
      expect(await ended).toMatchObject({
        status: 4,
        err: `${WAITING}Process ${process.pid} owns the account and does not answer. Try again in a moment; "npx homebridge-latchkey doctor" shows what is not responding.\n`,
      });
    }
    expect(await commands()).toBe(0);
  });

  it('is sent no unlock after ten seconds, nor is the service when the owner has ended (faults#29)', async () => {
    const { plugin, run, commands } = await heldUp();
    const { ended } = run('unlock', 'front');
    await plugin.forSeconds(11);
    expect(await ended).toEqual({
      status: 4,
      out: '',
      err: `${WAITING}The account could not be reached within 10 s, and an unlock is never sent late: nothing was sent. Try again in a moment; "npx homebridge-latchkey doctor" shows what is not responding.\n`,
    });
    plugin.goOn();
    plugin.giveBack();
    await plugin.forSeconds(120);
    expect([plugin.requests, await commands()]).toEqual([[], 0]);
  });

  it.each([
    ['unlock', 7],
    ['lock', 20],
  ])('is sent a request that is still in time when it goes on: %s after %i s', async (verb, afterSeconds) => {
    const { home, plugin, run } = await heldUp();
    const { ended } = run(verb, 'front');
    await plugin.forSeconds(afterSeconds);
    expect(plugin.requests).toEqual([]);
    plugin.goOn();
    await vi.waitUntil(async () => {
      await home.clock.advance(100);
      return plugin.requests.length > 0;
    });
    expect(await ended).toMatchObject({ status: 0, out: `Front door: already ${verb}ed\n` });
  });

  it('is a fault to the doctor, which checks the service all the same', async () => {
    const { plugin, run } = await heldUp();
    const { ended } = run('doctor');
    await plugin.forSeconds(20);
    expect(await ended).toMatchObject({
      status: 11,
      out: containing(/^FAULT {2}owner {17}Process \d+ owns the account and does not answer\./mu),
    });
    expect((await ended).out).toMatch(/^ok {5}authorization server {2}It answers and knows the client\.$/mu);
  });
});
