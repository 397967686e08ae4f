// Whether a bridge shows locks over Matter: one line for each reason why not, and HomeKit goes on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { API } from 'homebridge';
import { describe, expect, it, onTestFinished } from 'vitest';
import { effectiveLockOptions } from '../../../../src/config/lock-options.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { openMatterBridge, startMatterOn } from '../../../../src/features/matter/host/bridge.ts';
import { matterOptionsFor } from '../../../../src/features/matter/host/lock-options.ts';
import { openMatter } from '../../../../src/features/matter/host/open.ts';
import { lockOptionsFor } from '../../../../src/plugin/homekit-options.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { StandInRuntime } from '../../../stand-ins/account/runtime.ts';
import { StandInMatter } from '../../../stand-ins/homebridge/matter.ts';
import { configOf } from '../../../support/checked-config.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { Fixture, keptLabels } from './node/fixture.ts';

const ON = { matter: { port: 5540 } };
const MAIN = { matter: 'both' };
const CHILD = { matter: 'both', _bridge: ON };

interface Given {
  readonly block: Readonly<Record<string, unknown>>;
  readonly matter?: unknown;
  readonly isEnabled?: boolean;
  readonly configFile?: string;
  readonly serverVersion?: string;
}

/** Homebridge as the plugin finds it. Without `matter` in what is given it is one from before Matter. */
function homebridge({ block, isEnabled = true, configFile, ...rest }: Given): API {
  const folder = temporaryFolder();
  const file = join(folder, 'config.json');
  writeFileSync(file, configFile ?? JSON.stringify({ platforms: [{ platform: 'Latchkey', ...block }] }));
  const api = {
    user: { storagePath: () => folder, configPath: () => file },
    hap: { uuid: { generate: (text: string) => `uuid of ${text}` } },
    isMatterEnabled: () => isEnabled,
    ...rest,
  };
  return api as unknown as API;
}

/** With the Matter interface of Homebridge unless something else is given. */
function opened(given: Given): { readonly isOpen: boolean; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const api = homebridge({ matter: new StandInMatter(), ...given });
  const bridge = openMatterBridge(api, configOf(given.block), { ...silentLog, warn: say, error: say });
  return { isOpen: bridge !== null, lines };
}

describe('a bridge', () => {
  it('shows locks over Matter where Matter is on for a child bridge, without a log line', () => {
    expect(opened({ block: CHILD })).toEqual({ isOpen: true, lines: [] });
  });

  it.each([{}, { matter: 'off' }, { matter: 'off', _bridge: ON }])(
    'shows none, and logs nothing, where %j does not ask for Matter',
    (block) => {
      expect(opened({ block })).toEqual({ isOpen: false, lines: [] });
    },
  );

  it.each<[string, Given, RegExp]>([
    ['is the main bridge', { block: MAIN }, /child bridge/],
    [
      'is the main bridge, where another bridge has Matter',
      { block: MAIN, isEnabled: false },
      /child bridge/,
    ],
    [
      'has Matter off',
      { block: { matter: 'only', _bridge: {} }, matter: undefined, isEnabled: false },
      /Turn Matter on/,
    ],
    ['could not start Matter', { block: { ...CHILD, matter: 'only' }, isEnabled: false }, /did not start/],
    [
      'is of a Homebridge with only a part of Matter (faults#135)',
      { block: CHILD, matter: { deviceTypes: {} }, serverVersion: '2.3.1' },
      /Install Homebridge 2\.4 or later/,
    ],
    [
      'has another interface than the one that is known',
      { block: CHILD, matter: { deviceTypes: {} } },
      /registerPlatformAccessories is missing.*update/,
    ],
    [
      'cannot be distinguished from the others, because config.json is broken',
      { block: MAIN, configFile: '{' },
      /not valid JSON/,
    ],
  ])('says why, once, when it %s', (_, given, why) => {
    const { isOpen, lines } = opened(given);
    expect([isOpen, lines]).toEqual([false, [expect.stringMatching(why)]]);
    expect(lines[0]).toContain('stay in HomeKit');
  });

  it('says so when it is of a Homebridge from before Matter', () => {
    const lines: string[] = [];
    const log = { ...silentLog, warn: (line: string) => lines.push(line) };
    expect(openMatterBridge(homebridge({ block: CHILD }), configOf(CHILD), log)).toBeNull();
    expect(lines).toEqual([expect.stringMatching(/stay in HomeKit.*2\.4 or later/)]);
  });
});

describe('a lock that is shown over Matter alone', () => {
  const block = {
    matter: 'only',
    locks: [
      { id: 'both', matter: 'both' },
      { id: 'off', matter: 'off' },
    ],
  };
  const config = configOf(block);

  /** What a bridge takes out of HomeKit, where Matter has just started and for a minute has not come online. */
  function taken(bridge: object, lockRows = config.locks) {
    const clock = new ManualClock();
    const feature = openMatter({
      api: homebridge({ block: { ...block, ...bridge }, matter: new StandInMatter() }),
      config,
      runtime: new StandInRuntime(),
      lockOptions: (id) => effectiveLockOptions(config, {}, id),
      lockRows: () => lockRows,
      subscribeOptions: () => () => {},
      settings: { read: () => null, write() {}, erase() {} },
      restoredOverMatter: [],
      clock,
      log: silentLog,
    });
    onTestFinished(() => feature.dispose?.());
    const takes = (id: string, wasInHome: boolean) => feature.takes?.(lockId(id), wasInHome);
    return { takes, feature, clock };
  }

  it('leaves HomeKit where Matter runs, and is only the lock whose option says so', async () => {
    const { takes, feature, clock } = taken({ _bridge: ON });
    expect([takes('any', false), takes('any', true)]).toEqual([true, false]);
    expect([takes('both', false), takes('off', false)]).toEqual([false, false]);
    await clock.advance(60_000);
    expect(feature.status?.()).toEqual({ matter: 'offline' });
    expect(takes('any', false)).toBe(false);
  });

  it('is none that took over the option of the lock that it replaced', () => {
    const { takes } = taken({ _bridge: ON }, new Map([...config.locks, ['any', { matter: 'off' }]]));
    expect(takes('any', false)).toBe(false);
  });

  it('stays in HomeKit on a bridge without Matter', () => {
    const { takes, feature } = taken({ _bridge: {} });
    expect(feature.status?.()).toEqual({ matter: 'off' });
    expect(takes('any', false)).toBe(false);
  });

  it('is hidden on both sides when a person hides it', () => {
    const hidden = effectiveLockOptions(config, { hide: true }, 'both');
    expect(lockOptionsFor(config, hidden).hidden).toBe(true);
    expect(matterOptionsFor(config, 'both', hidden).hidden).toBe(true);
    expect(matterOptionsFor(config, 'off', effectiveLockOptions(config, {}, 'off')).hidden).toBe(true);
  });
});

it.each([
  [{ remotePin: '12' }, /remotePin in config.json is not a PIN/],
  [{ remotePin: '1234' }, null],
])('with %j unlocks over Matter are refused: %o (faults#135)', (block, why) => {
  const config = configOf({ matter: 'both', ...block });
  const { unlockRefusal } = matterOptionsFor(config, 'a', effectiveLockOptions(config, {}, 'a'));
  expect(unlockRefusal).toEqual(why === null ? null : expect.stringMatching(why));
});

it('a bridge removes the locks over Matter once the option is off', async () => {
  const before = await Fixture.withFrontDoor();
  const block = { matter: 'off', _bridge: ON };
  const config = configOf(block);
  const matter = startMatterOn(null, {
    api: homebridge({ block, matter: before.shell }),
    config,
    log: silentLog,
    clock: new ManualClock(),
    runtime: new StandInRuntime(),
    optionsFor: (id) => matterOptionsFor(config, id, effectiveLockOptions(config, {}, id)),
    subscribeOptions: () => () => {},
    presence: { watch() {} },
    labels: keptLabels(),
    restored: [...before.shell.accessories],
  });
  await settle();
  expect(before.shell.accessories).toEqual([]);
  matter?.dispose();
});
