// The listener and the simulated service over real HTTP: each registers, signs and reports as the other expects.
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AttemptRecord } from '../../../simulator/src/webhooks/courier.ts';
import { TRIGGERS } from '../../../simulator/src/webhooks/envelope.ts';
import { FORGERIES } from '../../../simulator/src/webhooks/signature.ts';
import { subscriptionRoutes } from '../../../simulator/src/webhooks/subscription-routes.ts';
import { WebhookService } from '../../../simulator/src/webhooks/webhook-service.ts';
import type { WebhookSettingsChange } from '../../../simulator/src/webhooks/webhook-settings.ts';
import type { WorldEventFact } from '../../../simulator/src/world/world-event.ts';
import { FetchedSigningKeys } from '../../../src/cloud/signing-keys.ts';
import { subscriptionClient } from '../../../src/cloud/subscription-client.ts';
import { optionTable } from '../../../src/config/options/option-table.ts';
import type { SubscriptionGateway, TrustedEvent } from '../../../src/domain/webhooks/ports.ts';
import { ALERTS } from '../../../src/domain/webhooks/service-event.ts';
import { silentLog } from '../../../src/support/log.ts';
import type { ListenerParts } from '../../../src/webhook/listener.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { deviceInterfaceAt } from '../../support/service-clients.ts';
import { type OpenListener, openListener, strangerPair } from './fixture.ts';

const OWNER = { clientId: 'client-1', userId: 'resident' };
const CODE = {
  accessCodeId: 'a71e',
  name: 'Dog walker',
  code: '0417',
  accessCodeLength: 4,
  readOnly: false,
  scheduleType: 'Always',
  scheduleDetails: { startDateTime: null, endDateTime: null, schedules: [] },
} as const;
const ACCESSOR = { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' } as const;

interface Agreement extends OpenListener {
  readonly service: WebhookService;
  readonly subscriptions: SubscriptionGateway;
  readonly attempts: readonly AttemptRecord[];
  readonly keyFetches: () => number;
  /** Lets something happen and waits until it was delivered or refused. */
  readonly happen: (fact: WorldEventFact, at?: number) => Promise<void>;
}

/** Both ends, with the listener not registered yet. */
async function agreement(
  settings: WebhookSettingsChange = {},
  overrides: Partial<ListenerParts> = {},
): Promise<Agreement> {
  const clock = new ManualClock();
  const attempts: AttemptRecord[] = [];
  const service = new WebhookService({
    clock,
    seed: '1',
    describeDevice: () => ({ name: 'Front door', timeZone: 'America/New_York' }),
    settings: { allowHttpToLoopback: true, ...settings },
    onAttempt: (attempt) => attempts.push(attempt),
  });
  const server = Fastify();
  let keyFetches = 0;
  server.addHook('onRequest', (request, _reply, next) => {
    keyFetches += request.url.endsWith('/publickey') ? 1 : 0;
    next();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => {
    parsed(null, body);
  });
  subscriptionRoutes(server, { service, productSegment: 'locks', gateway: { callerOf: () => OWNER } });
  const device = deviceInterfaceAt(await server.listen({ host: '127.0.0.1', port: 0 }), { clock });
  onTestFinished(async () => {
    await Promise.all([service.close(), server.close()]);
  });
  const keys = new FetchedSigningKeys({ service: device, productSegment: 'locks', clock, log: silentLog });
  const open = await openListener({ keys, clock, serviceClock: clock, ...overrides });
  let activity = 0;
  return {
    ...open,
    clock,
    service,
    subscriptions: subscriptionClient(device, 'locks'),
    attempts,
    keyFetches: () => keyFetches,
    happen: async (fact, at = clock.now()) => {
      activity += 1;
      const deviceId = fact.kind === 'signed-out-everywhere' ? null : 'door-1';
      service.publish({ id: `h-${String(activity)}`, at, deviceId, userIds: ['resident'], ...fact });
      await service.idle();
    },
  };
}

/** The same, registered. */
async function registered(
  settings: WebhookSettingsChange = {},
  overrides: Partial<ListenerParts> = {},
): Promise<Agreement> {
  const both = await agreement(settings, overrides);
  const end = both.listener.expectRegistration();
  await both.subscriptions.register(both.url);
  end();
  // What could not be verified is only a reason to read.
  const received: TrustedEvent[] = [];
  both.listener.feed.subscribe((trusted) => {
    if (trusted.trust === 'verified') {
      received.push(trusted);
    }
  });
  return { ...both, received };
}

const FACTS: readonly WorldEventFact[] = [
  { kind: 'lock-state-changed', lockState: 'Locked', accessor: ACCESSOR },
  { kind: 'connectivity-changed', connected: false },
  { kind: 'incorrect-code-entered', enteredAccessCode: '739182' },
  { kind: 'access-code-added', accessCode: CODE },
  { kind: 'access-code-updated', accessCode: CODE },
  { kind: 'access-code-deleted', accessCodeId: 'a71e', name: 'Dog walker' },
  {
    kind: 'command-ended',
    command: {
      commandId: '77aa',
      deviceId: 'door-1',
      state: 'Failed',
      name: 'ChangeLockState',
      data: {
        lockState: 'Unknown',
        error: { statusCode: 409, errorCode: 32, errorMessage: 'Bolt is jammed' },
      },
    },
  },
  { kind: 'battery-changed', batteryState: 'Low', percentageBatteryLevel: 18 },
  { kind: 'alarm-triggered' },
  { kind: 'keypad-locked-out' },
  { kind: 'signed-out-everywhere', userId: 'resident' },
];

const CODE_EVENTS = { codeId: 'a71e', codeName: 'Dog walker' };
const BY_CODE = { method: 'access-code', id: 'a71e', name: 'Dog walker' };
/** The meaning of each fact in the account's words; version 1.0 does not name the mover. */
const messagesBy = (
  accessor: object,
): readonly { readonly type: string; readonly [member: string]: unknown }[] => [
  { type: 'bolt', bolt: 'secured', accessor },
  { type: 'connectivity', connected: false },
  { type: 'wrong-code' },
  { type: 'code-added', ...CODE_EVENTS },
  { type: 'code-updated', ...CODE_EVENTS },
  { type: 'code-deleted', ...CODE_EVENTS },
  { type: 'command-ended', reading: { state: 'failed', commandId: '77aa', reason: 'bolt-jammed' } },
  { type: 'battery', battery: { grade: 'low', percent: 18 } },
  { type: 'alarm' },
  { type: 'keypad-locked-out' },
  { type: 'signed-out', userId: 'resident' },
];

describe('a registration', () => {
  it.each(['lenient', 'strict'] as const)(
    'succeeds with a %s handshake while it is expected',
    async (handshake) => {
      const { listener, subscriptions, url } = await agreement({ handshake });
      await expect(subscriptions.register(url)).rejects.toMatchObject({ disposition: 'final' });
      expect(await subscriptions.list()).toEqual([]);
      const end = listener.expectRegistration();
      const made = await subscriptions.register(url);
      expect(made).toEqual({ id: 's-1', url, active: true });
      expect(await subscriptions.register(url)).toEqual(made);
      end();
      expect(await subscriptions.list()).toEqual([made]);
      await subscriptions.remove(made.id);
      await subscriptions.remove(made.id);
      expect(await subscriptions.list()).toEqual([]);
    },
  );
});

describe('every event of the service', () => {
  it('has a fact in this test', () => {
    expect(FACTS).toHaveLength(TRIGGERS.length);
  });

  it('raises every existing alert', () => {
    const reported = new Set(messagesBy(BY_CODE).map(({ type }) => type));
    expect(ALERTS.filter((alert) => !reported.has(alert))).toEqual([]);
  });

  it.each([
    { form: '2.0' },
    { form: '1.0', v1LockState: 'present', v1Connected: 'text', v1Code: 'text' },
    { form: '1.0', v1LockState: 'present', v1Connected: 'boolean', v1Code: 'number' },
    { form: 'earlier', v1LockState: 'present' },
    { form: 'earlier-in-array', v1LockState: 'present' },
  ] as const)('is understood in the form $form', async (settings) => {
    const { happen, received, clock, lines } = await registered(settings);
    for (const fact of FACTS) {
      await happen(fact);
    }
    const expected = messagesBy(settings.form === '2.0' ? BY_CODE : { ...BY_CODE, name: null });
    const lock = (type: string): string | null => (type === 'signed-out' ? null : 'door-1');
    expect(received).toEqual(
      expected.map((message) => {
        const eventId: unknown = expect.stringMatching(/^e-[0-9a-f]{32}$/);
        return {
          trust: 'verified',
          event: { ...message, eventId, at: clock.now(), lockId: lock(message.type) },
        };
      }),
    );
    expect(lines).toEqual([]);
    expect(JSON.stringify(received)).not.toMatch(/739182|0417/);
  });

  it('causes a reading of the bolt when version 1.0 does not name the position', async () => {
    const { happen, received } = await registered({ form: '1.0', v1Accessor: 'absent' });
    await happen(FACTS[0] ?? { kind: 'alarm-triggered' });
    expect(received[0]?.event).toMatchObject({ type: 'bolt', bolt: null, accessor: null });
  });
});

const SCHEMES = optionTable().shape.webhooks.unwrap().shape.signature.unwrap().options;

describe.each(SCHEMES.filter((scheme) => scheme !== 'none'))('the scheme %s', (scheme) => {
  const method = scheme === 'jws-detached' ? { scheme, algorithm: 'PS256' as const } : { scheme };

  it('is the same on both sides', async () => {
    const { happen, received, attempts } = await registered({ scheme }, { method });
    await happen({ kind: 'alarm-triggered' });
    expect(attempts.map(({ outcome }) => outcome)).toEqual([204]);
    expect(received).toHaveLength(1);
  });

  it.each(FORGERIES)(
    'accepts no forgery of the kind %s (faults#40, faults#41, faults#42)',
    async (forgery) => {
      const { happen, received, attempts, ledger, service, clock } = await registered({ scheme }, { method });
      // From then on the keys can be fetched again, so that a forgery is known for one.
      await clock.advance(60_000);
      service.faults.arm({ kind: 'forge', forgery, often: 'always' });
      await happen({ kind: 'lock-state-changed', lockState: 'Unlocked', accessor: ACCESSOR });
      expect(attempts.map(({ outcome, next }) => [outcome, next])).toEqual([[401, 'give-up']]);
      expect(received).toEqual([]);
      expect(ledger.events.size).toBe(0);
    },
  );
});

describe('a change of the key', () => {
  it('loses no event, old or new, and causes one question a minute at most (faults#43)', async () => {
    const { happen, received, attempts, service, clock, keyFetches } = await registered();
    await happen({ kind: 'alarm-triggered' });
    await clock.advance(60_000);
    service.rotateKey(strangerPair);
    await happen({ kind: 'alarm-triggered' });
    service.configure({ signWith: 'previous' });
    await happen({ kind: 'alarm-triggered' });
    service.configure({ signWith: 'newest' });
    await happen({ kind: 'alarm-triggered' });
    expect(attempts.map(({ outcome }) => outcome)).toEqual([204, 204, 204, 204]);
    expect(received).toHaveLength(4);
    expect(keyFetches()).toBe(2);
  });

  it('in the minute after a forged event loses none either: such events are verified again, and come again (faults#43, faults#144)', async () => {
    const { happen, received, attempts, service, clock, keyFetches, ledger } = await registered();
    await clock.advance(60_000);
    service.faults.arm({ kind: 'forge', forgery: 'wrong-key', often: 'once' });
    await happen({ kind: 'alarm-triggered' });
    service.rotateKey();
    await happen({ kind: 'keypad-locked-out' });
    expect(attempts.map(({ outcome }) => outcome)).toEqual([401, 503]);
    expect(received).toEqual([]);
    await clock.advance(60_000);
    expect(received.map(({ event, trust }) => [event.type, trust])).toEqual([
      ['keypad-locked-out', 'verified'],
    ]);
    expect(ledger.events.size).toBe(1);
    expect(keyFetches()).toBe(3);
    await happen({ kind: 'alarm-triggered' });
    expect(received).toHaveLength(2);
    // What comes again is a repeat.
    await clock.advance(120_000);
    expect(received).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });

  it('loses none of many in that minute, whatever strangers send meanwhile: events without a place are repeated (faults#43)', async () => {
    const { happen, received, attempts, service, clock } = await registered();
    await clock.advance(60_000);
    service.faults.arm({ kind: 'forge', forgery: 'wrong-key', often: 'once' });
    await happen({ kind: 'keypad-locked-out' });
    service.rotateKey();
    for (let count = 0; count < 60; count += 1) {
      await happen({ kind: 'alarm-triggered' });
    }
    const answers = attempts.slice(1).map(({ outcome }) => outcome);
    expect(new Set(answers)).toEqual(new Set([503]));
    expect(received).toEqual([]);
    for (let round = 0; round < 4; round += 1) {
      await clock.advance(60_000);
      await service.idle();
    }
    expect(received.map(({ event }) => event.type)).toEqual(Array.from({ length: 60 }, () => 'alarm'));
  });
});

describe('a delivery', () => {
  it('that is doubled, late or out of order has each effect once (faults#45)', async () => {
    const { happen, received, service, attempts, clock } = await registered();
    service.faults.arm({ kind: 'double', often: 'once' });
    await happen({ kind: 'alarm-triggered' });
    service.faults.arm({ kind: 'delay', delayMs: 60_000, often: 'once' });
    await happen({ kind: 'keypad-locked-out' });
    service.faults.arm({ kind: 'reorder', often: 'once' });
    await happen({ kind: 'connectivity-changed', connected: false });
    await happen({ kind: 'connectivity-changed', connected: true });
    await clock.advance(60_000);
    await service.idle();
    expect(attempts.map(({ outcome }) => outcome)).toEqual([204, 204, 204, 204, 204]);
    expect(received.map(({ event }) => event.type)).toEqual([
      'alarm',
      'connectivity',
      'connectivity',
      'keypad-locked-out',
    ]);
  });
});
