// The reports to a Matter app over time: each move with its source, and the same identity and name after twenty restarts.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { type OpenedStage, openStage } from '../e2e/stage.ts';
import { MatterHome, matterBridgeOf } from '../harness/matter-home.ts';

const RESTARTS = Number(process.env['RESTARTS'] ?? '20');

let stage: OpenedStage;
let app: MatterHome;

beforeAll(async () => {
  stage = await openStage({
    pluginsFolder: inject('packed').pluginsFolder,
    onChildBridge: true,
    matter: true,
    options: { matter: 'both' },
  });
  const bridge = matterBridgeOf(stage.installation);
  app = await MatterHome.join(bridge, join(stage.installation.storeFolder, 'app'));
});

afterAll(async () => {
  await app.close();
  await stage.leave();
});

function identity(): unknown {
  const lock = app.lock(NEW_NAME);
  const { uniqueId, serialNumber, productName, softwareVersionString, vendorName, nodeLabel } =
    lock.information;
  return {
    number: lock.number,
    uniqueId,
    serialNumber,
    productName,
    softwareVersionString,
    vendorName,
    nodeLabel,
  };
}

/** The name that a person gave the front door in the app. */
const NEW_NAME = 'The red door';

const LOCKED = 1;
const UNLOCKED = 2;

it('a lock over Matter reports each of eight moves that polling finds as one event, with its source (faults#129)', async () => {
  const lock = stage.lock('Front door');
  const accessCode = { name: 'Dog walker', code: '86421' };
  await lock.at('put-access-code', { accessCode, side: 'both' });
  const moves = [
    ['turn-thumbturn', { to: 'Unlocked' }, UNLOCKED, 1],
    ['press-one-touch', {}, LOCKED, 5],
    ['type-code', { code: '86421', to: 'Unlocked' }, UNLOCKED, 3],
    ['run-scheduled-lock', {}, LOCKED, 6],
    ['use-virtual-key', { userId: 'resident', to: 'Unlocked' }, UNLOCKED, 2],
    ['use-platform-home', { to: 'Locked', nfc: true }, LOCKED, 8],
    ['use-platform-home', { to: 'Unlocked' }, UNLOCKED, 2],
    // The service's history has no word for it.
    ['press-inside-button', { button: 'LockButton' }, LOCKED, 0],
  ] as const;
  for (const [action, details, to, source] of moves) {
    app.reports.length = 0;
    const operation = to === LOCKED ? 0 : 1;
    await lock.at(action, details);
    await stage.refresh();
    const { value } = await app
      .lock('Front door')
      .reported('lockOperation', (told) => Reflect.get(Object(told), 'lockOperationType') === operation);
    expect([action, value]).toMatchObject([action, { operationSource: source, fabricIndex: null }]);
    expect(app.reports.filter(({ name }) => name === 'lockOperation')).toHaveLength(1);
  }
});

it('a lock over Matter is out of reach with an unknown position in an outage, and both end with it (faults#133)', async () => {
  const lock = app.lock('Front door');
  expect(await lock.read()).toBe(LOCKED);
  app.reports.length = 0;
  await stage.fault({ kind: 'cut', when: 'before-work', often: 'always' });
  // The next listing fails within a minute, and a minute later nothing counts any more.
  await lock.reported('reachable', (value) => value === false, 200_000);
  expect(await lock.read()).toBeNull();
  await stage.heal();
  await stage.refresh();
  await lock.reported('reachable', (value) => value === true, 30_000);
  expect(await lock.read()).toBe(LOCKED);
}, 300_000);

it(`a lock over Matter keeps its identity and its name in the app over ${String(RESTARTS)} restarts (faults#131)`, async () => {
  await app.lock('Front door').label(NEW_NAME);
  const before = identity();
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    await stage.restartHomebridge(restart % 2 === 0 ? 'stop' : 'kill');
    await stage.homebridge.line(/Matter server is now running/u, 30_000);
    await vi.waitFor(
      async () => {
        expect(await app.lock(NEW_NAME).read()).toBe(1);
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(identity()).toEqual(before);
  }
}, 1_200_000);
