// Delivery of webhooks: the request itself, answers and retries, and faults on the way (wire contract 7).
import { describe, expect, test } from 'vitest';
import { type DeliveryFault, deliveryFaultSchema } from '../../src/webhooks/delivery-faults.ts';
import { DEFAULT_WEBHOOK_SETTINGS, webhookSettingsSchema } from '../../src/webhooks/webhook-settings.ts';
import { activityOf, battery, WebhookHarness } from './harness.ts';
import type { Reply } from './receiver.ts';

const HOUR_MS = 3_600_000;

/** Battery levels in the order their notifications came in: each test's events are distinguished by them. */
const levelsReceived = (hooks: WebhookHarness): readonly unknown[] =>
  hooks.receiver.of('POST').map(({ body }) => /"percentageBatteryLevel":(\d+)/.exec(body.toString())?.[1]);

describe('Wire contract 7, the request', () => {
  test('goes to exactly the subscribed URL with the headers of the contract', async () => {
    const hooks = await WebhookHarness.start();
    await hooks.subscribe(hooks.receiver.url('/hooks?env=prod'));
    await hooks.publish(battery());
    const [request] = hooks.receiver.of('POST');
    expect(request?.target).toBe('/hooks?env=prod');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'lock-platform-webhooks/2.0',
      'webhook-request-origin': 'events.lock-platform.example',
      'content-length': String(request?.body.byteLength),
    });
    expect(request?.headerNames).toEqual(
      expect.arrayContaining(['Content-Type', 'User-Agent', 'WebHook-Request-Origin', 'WebHook-Signature']),
    );
  });

  test('the content type may come without its charset', async () => {
    const hooks = await WebhookHarness.startSubscribed({ contentType: 'application/json' });
    await hooks.publish(battery());
    expect(hooks.receiver.of('POST')[0]?.headers['content-type']).toBe('application/json');
  });
});

describe('Wire contract 7, answers', () => {
  test.each([
    [200, 'delivered'],
    [299, 'delivered'],
    [400, 'give-up'],
    [401, 'give-up'],
    [403, 'give-up'],
    [413, 'give-up'],
  ] as const)('%d is final (%s): no retry, and the subscription stays active', async (status, next) => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.otherwise = status;
    await hooks.publish(battery());
    expect(hooks.clock.pendingTimers).toBe(0);
    expect(hooks.attempts).toMatchObject([{ attempt: 1, outcome: status, next, retryInMs: null }]);
    expect(hooks.service.subscriptions()[0]?.record.status).toBe('Active');
  });

  test('410 makes the subscription inactive and ends all that is on its way to it', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push(500, 410);
    await hooks.publish(battery(1));
    await hooks.publish(battery(2));
    expect(hooks.service.subscriptions()[0]?.record.status).toBe('Inactive');
    expect(hooks.clock.pendingTimers).toBe(0);
    await hooks.publish(battery(3));
    await hooks.advance(25 * HOUR_MS);
    expect(levelsReceived(hooks)).toEqual(['1', '2']);
  });

  test('410 to a subscription that was deleted meanwhile changes nothing', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push(500, 410);
    await hooks.publish(battery());
    hooks.service.unlink('resident', null);
    await hooks.advance(11_000);
    expect(hooks.attempts.map(({ next }) => next)).toEqual(['retry', 'give-up']);
    expect(hooks.service.subscriptions()).toEqual([]);
  });

  test.each([
    ['a redirect, which is not followed', { status: 308, headers: { location: '/elsewhere' } }, 308],
    ['404', 404, 404],
    ['500', 500, 500],
    ['503', 503, 503],
    ['a connection that is cut', 'cut', 'unreachable'],
  ] as const)('%s is tried again after about 10 seconds', async (_case, reply: Reply, outcome) => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push(reply);
    await hooks.publish(battery());
    expect(hooks.attempts).toMatchObject([{ outcome, next: 'retry' }]);
    await hooks.advance(9999);
    expect(hooks.receiver.of('POST')).toHaveLength(1);
    await hooks.advance(1001);
    expect(hooks.attempts).toMatchObject([{ attempt: 1 }, { attempt: 2, outcome: 204, next: 'delivered' }]);
    expect(hooks.receiver.of('POST').map(({ target }) => target)).toEqual(['/hooks', '/hooks']);
  });

  test('a receiver that is gone is unreachable', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    await hooks.receiver.stop();
    await hooks.publish(battery());
    expect(hooks.attempts).toMatchObject([{ outcome: 'unreachable', next: 'retry' }]);
  });

  test('a receiver has 30 seconds to answer', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push('hang');
    hooks.service.publish(battery());
    await hooks.receiver.waitFor(2);
    await hooks.clock.advance(29_999);
    expect(hooks.attempts).toEqual([]);
    await hooks.advance(1);
    expect(hooks.attempts).toMatchObject([{ outcome: 'timed-out', next: 'retry' }]);
  });

  test('an endless answer is cut off and its status counts', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push({ status: 200, body: 'x'.repeat(5_000_000) });
    await hooks.publish(battery());
    expect(hooks.attempts).toMatchObject([{ outcome: 200, next: 'delivered' }]);
  });
});

describe('Wire contract 7, retries', () => {
  test('follow the schedule of the contract, with small jitter, and end within 24 hours', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.otherwise = 500;
    await hooks.publish(battery());
    for (let hour = 0; hour < 30; hour += 1) {
      // Step by step, because each retry is set only when the one before it has been answered.
      for (let step = 0; step < 12; step += 1) {
        await hooks.advance(HOUR_MS / 12);
      }
    }
    const waits = hooks.attempts.map(({ retryInMs }) => retryInMs);
    const schedule = DEFAULT_WEBHOOK_SETTINGS.retryDelaysMs;
    expect(schedule).toEqual([10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200].map((s) => s * 1000));
    for (const [index, wait] of waits.slice(0, -1).entries()) {
      expect(wait).toBeGreaterThanOrEqual(schedule[index] ?? Number.NaN);
      expect(wait).toBeLessThanOrEqual((schedule[index] ?? Number.NaN) * 1.1);
    }
    expect(waits.at(-1)).toBeNull();
    expect(hooks.attempts.at(-1)?.next).toBe('give-up');
    const [first, last] = [hooks.attempts[0]?.at ?? 0, hooks.attempts.at(-1)?.at ?? 0];
    expect(last - first).toBeLessThanOrEqual(24 * HOUR_MS);
    expect(hooks.attempts.length).toBeGreaterThanOrEqual(10);
    expect(hooks.clock.pendingTimers).toBe(0);
  });

  test('429 waits for Retry-After, in seconds or as a date, and uses up no retry', async () => {
    const hooks = await WebhookHarness.startSubscribed({
      retryDelaysMs: [10_000],
      giveUpAfterMs: 24 * HOUR_MS,
    });
    const throttled = (retryAfter: string): Reply => ({
      status: 429,
      headers: { 'retry-after': retryAfter },
    });
    hooks.receiver.replies.push(
      throttled('120'),
      throttled('Tue, 14 Apr 2026 12:05:00 GMT'),
      throttled('0'),
      500,
      500,
    );
    await hooks.publish(battery());
    await hooks.advance(119_999);
    expect(hooks.receiver.of('POST')).toHaveLength(1);
    await hooks.advance(1);
    expect(hooks.receiver.of('POST')).toHaveLength(2);
    await hooks.advance(180_000);
    expect(hooks.receiver.of('POST')).toHaveLength(3);
    await hooks.advance(1000);
    await hooks.advance(11_000);
    expect(hooks.attempts.map(({ outcome, next }) => [outcome, next])).toEqual([
      [429, 'retry'],
      [429, 'retry'],
      [429, 'retry'],
      [500, 'retry'],
      [500, 'give-up'],
    ]);
  });

  test.each([
    ['soon', [429, 429, 204]],
    [String(24 * 3600 + 1), [429]],
  ])(
    '429 whose wait is "%s" follows the schedule, or ends the delivery beyond 24 hours',
    async (wait, seen) => {
      const hooks = await WebhookHarness.startSubscribed({ retryDelaysMs: [10_000] });
      hooks.receiver.replies.push({ status: 429, headers: { 'retry-after': wait } }, 429);
      await hooks.publish(battery());
      await hooks.advance(11_000);
      await hooks.advance(11_000);
      expect(hooks.attempts.map(({ outcome }) => outcome)).toEqual(seen);
      expect(hooks.clock.pendingTimers).toBe(0);
    },
  );

  test('a later notification does not wait for the retry of an earlier one', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push(500);
    await hooks.publish(battery(1), battery(2));
    await hooks.advance(11_000);
    expect(levelsReceived(hooks)).toEqual(['1', '2', '1']);
  });

  test('first attempts keep their order, even to a slow receiver', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    const levels = Array.from({ length: 20 }, (_, index) => index + 1);
    await hooks.publish(...levels.map((level) => battery(level)));
    expect(levelsReceived(hooks)).toEqual(levels.map(String));
  });

  test('one receiver that hangs delays no other', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push('hang');
    hooks.service.publish(battery(1));
    await hooks.receiver.waitFor(2);
    await hooks.subscribe(hooks.receiver.url('/other'));
    hooks.service.publish(battery(2));
    await hooks.receiver.waitFor(4);
    expect(hooks.receiver.of('POST').map(({ target }) => target)).toEqual(['/hooks', '/other']);
    await hooks.advance(30_000);
  });

  test('closing leaves no timer behind and reports nothing more', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.receiver.replies.push(500, 'hang');
    await hooks.publish(battery(1));
    hooks.service.publish(battery(2));
    await hooks.receiver.waitFor(3);
    await hooks.service.close();
    expect(hooks.clock.pendingTimers).toBe(0);
    expect(hooks.attempts).toHaveLength(1);
  });
});

describe('Faults of deliveries, on request', () => {
  const publishLevels = async (hooks: WebhookHarness, count: number): Promise<void> => {
    await hooks.publish(...Array.from({ length: count }, (_, index) => battery(index + 1)));
  };
  const withFault = async (fault: DeliveryFault): Promise<WebhookHarness> => {
    const hooks = await WebhookHarness.startSubscribed();
    hooks.service.faults.arm(fault);
    return hooks;
  };

  test('drop: the notification never comes', async () => {
    const hooks = await withFault({ kind: 'drop', often: 'once' });
    await publishLevels(hooks, 2);
    await hooks.advance(25 * HOUR_MS);
    expect(levelsReceived(hooks)).toEqual(['2']);
    expect(hooks.attempts[0]).toMatchObject({ attempt: 0, outcome: 'dropped', fault: 'drop' });
  });

  test('double: the notification comes twice with the same event id', async () => {
    const hooks = await withFault({ kind: 'double', often: 'once' });
    await publishLevels(hooks, 2);
    expect(levelsReceived(hooks)).toEqual(['1', '1', '2']);
    expect(hooks.attempts[0]?.eventId).toBe(hooks.attempts[1]?.eventId);
  });

  test('misdate: the notification comes at its time, dated so much later', async () => {
    const hooks = await withFault({ kind: 'misdate', offsetMs: 2_600, often: 'once' });
    await publishLevels(hooks, 2);
    const dates = hooks.receiver.of('POST').map(({ body }) => body.toString().includes('12:15:32.850'));
    expect([levelsReceived(hooks), dates]).toEqual([
      ['1', '2'],
      [true, false],
    ]);
  });

  test('delay: the notification comes so much later, after the ones that followed', async () => {
    const hooks = await withFault({ kind: 'delay', delayMs: 60_000, often: 'once' });
    await publishLevels(hooks, 2);
    await hooks.advance(59_999);
    expect(levelsReceived(hooks)).toEqual(['2']);
    await hooks.advance(1);
    expect(levelsReceived(hooks)).toEqual(['2', '1']);
  });

  test('reorder: the notification comes after the next one, or alone after 30 seconds', async () => {
    const hooks = await withFault({ kind: 'reorder', often: { times: 3 } });
    await publishLevels(hooks, 4);
    expect(levelsReceived(hooks)).toEqual(['4', '1', '2', '3']);
    hooks.service.faults.arm({ kind: 'reorder', often: 'once' });
    await hooks.publish(battery(5));
    await hooks.advance(29_999);
    expect(levelsReceived(hooks)).toHaveLength(4);
    await hooks.advance(1);
    expect(levelsReceived(hooks).at(-1)).toBe('5');
  });

  test('a fault may be kept to one trigger', async () => {
    const hooks = await withFault({ kind: 'drop', often: 'always', trigger: 'DeviceAlarmTriggered' });
    await hooks.publish(activityOf({ kind: 'alarm-triggered' }), battery(1));
    expect(levelsReceived(hooks)).toEqual(['1']);
  });

  test('faults are listed with what is left of them, spent ones go, and all can be taken back', async () => {
    const hooks = await WebhookHarness.startSubscribed();
    const { faults } = hooks.service;
    const dropTwice: DeliveryFault = { kind: 'drop', often: { times: 2 } };
    const id = faults.arm(dropTwice);
    await publishLevels(hooks, 1);
    expect(faults.list()).toEqual([{ id, fault: dropTwice, left: 1 }]);
    await publishLevels(hooks, 1);
    expect(faults.list()).toEqual([]);

    const always = faults.arm({ kind: 'drop', often: 'always' });
    expect(faults.list()).toMatchObject([{ id: always, left: null }]);
    expect(faults.disarm(always)).toBe(true);
    expect(faults.disarm(always)).toBe(false);
    faults.arm({ kind: 'drop', often: 'always' });
    faults.clear();
    await publishLevels(hooks, 1);
    expect(levelsReceived(hooks)).toEqual(['1']);
  });

  test('the same seed strikes the same deliveries at a rate', async () => {
    const struck = async (seed: string): Promise<readonly unknown[]> => {
      const hooks = await WebhookHarness.startSubscribed({}, seed);
      hooks.service.faults.arm({ kind: 'drop', often: { rate: 0.5 } });
      await publishLevels(hooks, 40);
      return levelsReceived(hooks);
    };
    const first = await struck('seven');
    expect(first.length).toBeGreaterThan(8);
    expect(first.length).toBeLessThan(32);
    expect(await struck('seven')).toEqual(first);
    expect(await struck('eight')).not.toEqual(first);
  });
});

describe('a fault of deliveries in the control API', () => {
  test.each([
    [true, { kind: 'drop', often: 'once' }],
    [true, { kind: 'delay', delayMs: 5, often: { times: 3 }, trigger: 'AccessCodeAdded' }],
    [true, { kind: 'forge', forgery: 'alg-none', often: { rate: 0.1 } }],
    [false, { kind: 'lose', often: 'once' }],
    [false, { kind: 'drop' }],
    [false, { kind: 'drop', often: 'twice' }],
    [false, { kind: 'drop', often: { times: 0 } }],
    [false, { kind: 'drop', often: { rate: 2 } }],
    [false, { kind: 'delay', often: 'once' }],
    [false, { kind: 'drop', often: 'once', trigger: 'NoSuchTrigger' }],
    [false, { kind: 'drop', often: 'once', colour: 'blue' }],
  ])('is understood (%s): %j', (isFault, fault) => {
    expect(deliveryFaultSchema.safeParse(fault).data).toEqual(isFault ? fault : undefined);
  });

  test('settings are refused when a name or a value is unknown', () => {
    expect(webhookSettingsSchema.safeParse({ form: '1.0', timeoutMs: 5 }).success).toBe(true);
    expect(webhookSettingsSchema.safeParse({ form: '3.0' }).success).toBe(false);
    expect(webhookSettingsSchema.safeParse({ signatureHeader: 'no spaces' }).success).toBe(false);
    expect(webhookSettingsSchema.safeParse({ colour: 'blue' }).success).toBe(false);
  });
});
