// The webhook side of the service on loopback: routes in a scope like the device interface's, a clock moved by hand.
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { AttemptRecord } from '../../src/webhooks/courier.ts';
import { generateSigningKeyPair } from '../../src/webhooks/signing-keys.ts';
import type { SubscriptionOwner } from '../../src/webhooks/subscription-registry.ts';
import { subscriptionRoutes } from '../../src/webhooks/subscription-routes.ts';
import { WebhookService } from '../../src/webhooks/webhook-service.ts';
import type { WebhookSettingsChange } from '../../src/webhooks/webhook-settings.ts';
import type { WorldEvent, WorldEventFact } from '../../src/world/world-event.ts';
import { Receiver } from './receiver.ts';

export const DEVICE = '6c1d3a52-0d0e-4a58-9a55-0c9f2e7a1b10';
export const RESIDENT: SubscriptionOwner = { clientId: 'client-1', userId: 'resident' };
export const AT = Date.UTC(2026, 3, 14, 12, 15, 30, 250);

/** The keys are made once: generating takes a tenth of a second. */
export const KEYS = generateSigningKeyPair();

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ownerSchema = z.strictObject({ clientId: z.string(), userId: z.string() });

let activities = 0;
/** Something that happened at the front door, or to a user. */
export function activityOf(
  fact: WorldEventFact,
  changes: Partial<Pick<WorldEvent, 'at' | 'userIds'>> = {},
): WorldEvent {
  activities += 1;
  const deviceId = fact.kind === 'signed-out-everywhere' ? null : DEVICE;
  return { id: `h-${String(activities)}`, at: AT, deviceId, userIds: ['resident'], ...fact, ...changes };
}

/** The plainest event, distinguished by its battery level. */
export function battery(percentageBatteryLevel = 18): WorldEvent {
  return activityOf({ kind: 'battery-changed', batteryState: 'Low', percentageBatteryLevel });
}

export class WebhookHarness {
  readonly clock = new ManualClock();
  readonly attempts: AttemptRecord[] = [];
  readonly service: WebhookService;
  readonly receiver: Receiver;
  readonly #server: FastifyInstance;
  #url = '';

  private constructor(settings: WebhookSettingsChange, receiver: Receiver, seed: string) {
    this.receiver = receiver;
    this.service = new WebhookService({
      clock: this.clock,
      seed,
      keys: KEYS,
      describeDevice: (deviceId) =>
        deviceId === DEVICE ? { name: 'Front door', timeZone: 'America/New_York' } : undefined,
      settings: { allowHttpToLoopback: true, ...settings },
      onAttempt: (attempt) => this.attempts.push(attempt),
    });
    this.#server = Fastify();
    void this.#server.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => {
        parsed(null, body);
      });
      subscriptionRoutes(scope, {
        service: this.service,
        productSegment: 'locks',
        gateway: { callerOf: (request) => ownerSchema.parse(JSON.parse(String(request.headers['x-owner']))) },
      });
      done();
    });
  }

  /** Starts a service and a receiver for the running test; both end with it. */
  static async start(settings: WebhookSettingsChange = {}, seed = '1'): Promise<WebhookHarness> {
    const harness = new WebhookHarness(settings, await Receiver.start(), seed);
    harness.#url = await harness.#server.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => harness.#stop());
    return harness;
  }

  /** A harness whose receiver has subscribed. */
  static async startSubscribed(settings: WebhookSettingsChange = {}, seed = '1'): Promise<WebhookHarness> {
    const harness = await WebhookHarness.start(settings, seed);
    await harness.subscribe();
    return harness;
  }

  async #stop(): Promise<void> {
    await this.service.close();
    await this.receiver.stop();
    await this.#server.close();
  }

  /** Calls a path after `{base_url}/<product-segment>/events`. */
  async call(method: string, path: string, rawBody?: string, owner = RESIDENT): Promise<Answer> {
    const response = await fetch(`${this.#url}/locks/events${path}`, {
      method,
      headers: {
        'x-owner': JSON.stringify(owner),
        ...(rawBody === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(rawBody === undefined ? {} : { body: rawBody }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  async subscribe(url = this.receiver.url(), owner = RESIDENT): Promise<Answer> {
    return this.call('POST', '/subscriptions', JSON.stringify({ url }), owner);
  }

  /** Publishes and waits until everything that goes out at once has been answered. */
  async publish(...happened: readonly WorldEvent[]): Promise<void> {
    for (const worldEvent of happened) {
      this.service.publish(worldEvent);
    }
    await this.service.idle();
  }

  /** Moves the clock on and waits for the effects. */
  async advance(durationMs: number): Promise<void> {
    await this.clock.advance(durationMs);
    await this.service.idle();
  }
}
