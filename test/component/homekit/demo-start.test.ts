// The demo beside what Homebridge has cached: it never runs among a real account's locks, and goes without a trace.
import type { API, PlatformAccessory } from 'homebridge';
import { describe, expect, it } from 'vitest';
import { HomebridgeAPI } from '../../../node_modules/homebridge/dist/api.js';
import { PlatformAccessory as RealAccessory } from '../../../node_modules/homebridge/dist/platformAccessory.js';
import { EXAMPLES } from '../../../simulator/src/scenario/examples.ts';
import { parseScenario } from '../../../simulator/src/scenario/scenario.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { contextOf } from '../../../src/homekit/hap/accessory-context.ts';
import { removeDemo, startDemo } from '../../../src/plugin/demo-start.ts';
import { configOf } from '../../support/checked-config.ts';
import { keptLog } from '../../support/kept-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function stage(block: object, ids: readonly string[]) {
  const folder = temporaryFolder();
  const api = new HomebridgeAPI();
  const removed: PlatformAccessory[] = [];
  // The API's own event, which its public types leave out.
  const received = (accessories: readonly PlatformAccessory[]): void => {
    removed.push(...accessories);
  };
  api.on('unregisterPlatformAccessories' as 'shutdown', received as unknown as () => void);
  const restored = ids.map((id) => {
    const accessory = new RealAccessory(id, api.hap.uuid.generate(id));
    accessory.context = { ...contextOf(lockId(id)) };
    return accessory;
  });
  const lines: string[] = [];
  const log = keptLog(lines);
  const homebridge = Object.create(api, { user: { value: { storagePath: () => folder } } }) as API;
  return { parts: { api: homebridge, config: configOf(block), restored, log }, restored, removed, lines };
}

const DEMO_IDS = (parseScenario(EXAMPLES.get('demo'), 'demo').locks ?? []).map(
  ({ deviceId = '' }) => deviceId,
);

describe('the demo on a bridge', () => {
  it('shows three locks', () => {
    expect(new Set(DEMO_IDS).size).toBe(3);
  });

  it('is not started while the bridge shows a lock of an account, which loses nothing', () => {
    const { parts, removed, lines } = stage({ demo: true }, [...DEMO_IDS, 'a-real-lock']);
    const demo = startDemo({ ...parts, overMatter: 0 }, () => {
      expect.fail('An account was opened');
    });
    expect(demo).toBeNull();
    expect(removed).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/^Not started: .*Set "demo" to false/u)]);
  });

  it('is not started either while the bridge shows such a lock over Matter', () => {
    const { parts, lines } = stage({ demo: true }, DEMO_IDS);
    expect(startDemo({ ...parts, overMatter: 1 }, () => {})).toBeNull();
    expect(lines).toEqual([expect.stringMatching(/^Not started: .*\(1\)/u)]);
  });

  it('removes exactly its own accessories once it is off', () => {
    const { parts, restored, removed, lines } = stage({}, [...DEMO_IDS, 'a-real-lock']);
    const left = removeDemo(parts.api, parts.config, restored, parts.log);
    expect(left).toEqual(restored.slice(-1));
    expect(removed).toEqual(restored.slice(0, -1));
    expect(lines).toEqual(['The demo is off; its locks were removed from Home.']);
  });

  it('is not mentioned where it never ran', () => {
    const { parts, restored, removed, lines } = stage({}, ['a-real-lock']);
    expect(removeDemo(parts.api, parts.config, restored, parts.log)).toEqual(restored);
    expect([removed, lines]).toEqual([[], []]);
  });
});
