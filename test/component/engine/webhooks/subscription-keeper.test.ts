// Staying registered: once, again when it lapsed, elsewhere when the address changed, and never at the account's cost.
import { describe, expect, it } from 'vitest';
import { message, verbatim } from '../../../../src/domain/language/message.ts';
import type { Subscription, SubscriptionGateway } from '../../../../src/domain/webhooks/ports.ts';
import type { HealthReason } from '../../../../src/domain/webhooks/report.ts';
import { SubscriptionKeeper } from '../../../../src/engine/webhooks/subscription-keeper.ts';
import { Emitter } from '../../../../src/support/emitter.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import type { Log } from '../../../../src/support/log.ts';
import { StandInLink } from '../../../stand-ins/service/link.ts';
import { ManualClock, settlePromises } from '../../../support/manual-clock.ts';

const OURS = 'https://home.example/hooks/0123456789';

class KeptSubscriptions implements SubscriptionGateway {
  kept: Subscription[] = [];
  calls: string[] = [];
  /** The calls that fail. */
  unanswered: readonly string[] = [];
  /** Registrations are carried out, and get no answer. */
  losingAnswers = false;
  consenting = false;
  #ids = 0;

  async list(): Promise<readonly Subscription[]> {
    this.#note('list');
    return this.kept;
  }

  async register(url: string): Promise<Subscription> {
    this.#note(this.consenting ? 'register' : 'register without consent');
    this.#ids += 1;
    const subscription = { id: `s-${this.#ids}`, url, active: true };
    this.kept = [...this.kept.filter((known) => known.url !== url), subscription];
    if (this.losingAnswers) {
      throw new RetryError('unreachable', 'No answer.');
    }
    return subscription;
  }

  async remove(id: string): Promise<void> {
    this.#note('remove');
    this.kept = this.kept.filter((known) => known.id !== id);
  }

  #note(call: string): void {
    this.calls.push(call);
    if (this.unanswered.includes(call)) {
      throw new RetryError('unreachable', 'No answer.');
    }
  }
}

function keeping(...before: readonly string[]) {
  const clock = new ManualClock(undefined, settlePromises);
  const gateway = new KeptSubscriptions();
  const link = new StandInLink();
  const lines: string[] = [];
  let addresses = before;
  let made = 0;
  const say = (line: string) => lines.push(line);
  const log: Log = { debug() {}, info: say, warn: say, error: say };
  const doubts = new Emitter<HealthReason>(log);
  const keeper = new SubscriptionKeeper({
    gateway,
    link,
    clock,
    log,
    url: OURS,
    registered: {
      read: () => addresses,
      write: (urls) => {
        addresses = urls;
      },
    },
    onStanding() {},
    watch: {
      subscribe: (listener) =>
        doubts.subscribe((because) => {
          listener({
            type: 'webhooks-changed',
            report: { health: 'degraded', because },
            previous: 'healthy',
          });
        }),
      registered: () => {
        made += 1;
      },
    },
    adviceOnRefusal: async () => Promise.resolve(message('Advice.')),
    expectConsentQuestion: () => {
      gateway.consenting = true;
      return () => {
        gateway.consenting = false;
      };
    },
  });
  const doubt = (): void => {
    doubts.emit('missed-change');
  };
  return { keeper, gateway, link, clock, lines, addresses: () => addresses, made: () => made, doubt };
}

describe('the registration of webhooks', () => {
  it('is made once, checked every hour, and the handshake is answered only while it is made (faults#55)', async () => {
    const { keeper, gateway, clock, lines, addresses } = keeping();
    await keeper.reconcile();
    expect(gateway.calls).toEqual(['list', 'register']);
    expect([gateway.consenting, addresses(), lines]).toEqual([
      false,
      [OURS],
      ['Webhooks are registered with the service.'],
    ]);
    await clock.advance(3 * 3_600_000);
    expect(gateway.calls).toEqual(['list', 'register', 'list', 'list', 'list']);
  });

  it('that lapsed is made again by the next check, and one that the service lost as soon as webhooks are doubted', async () => {
    const { keeper, gateway, clock, made, doubt } = keeping();
    await keeper.reconcile();
    gateway.kept = gateway.kept.map(({ id, url }) => ({ id, url, active: false }));
    await clock.advance(3_600_000);
    expect([gateway.kept, made()]).toMatchObject([[{ url: OURS, active: true }], 2]);
    await clock.advance(600_000);
    gateway.kept = [];
    doubt();
    await clock.advance(0);
    expect([gateway.kept, made()]).toMatchObject([[{ url: OURS, active: true }], 3]);
  });

  it('is checked once in five minutes however often webhooks are doubted, and every hour from then on', async () => {
    const { keeper, gateway, clock, doubt } = keeping();
    await keeper.reconcile();
    gateway.calls.length = 0;
    for (let second = 0; second < 599; second += 1) {
      doubt();
      await clock.advance(1_000);
    }
    expect(gateway.calls).toEqual(['list']);
    await clock.advance(2 * 3_600_000);
    expect(gateway.calls).toHaveLength(3);
  });

  it('is checked at its own pace while the service fails, and never after its end, and the log never names the address', async () => {
    const { keeper, gateway, clock, doubt, lines } = keeping();
    gateway.unanswered = ['list'];
    await keeper.reconcile();
    await clock.advance(1_000);
    doubt();
    await clock.advance(28_000);
    expect(gateway.calls).toEqual(['list']);
    await clock.advance(1_000);
    expect(gateway.calls).toEqual(['list', 'list']);
    gateway.unanswered = [];
    await clock.advance(60_000);
    keeper.dispose();
    doubt();
    expect(clock.pendingTimers).toBe(0);
    expect(lines.join(' ')).not.toContain('0123456789');
  });

  it('of former addresses is removed, and remembered until then, while ours stands and those of others are not touched', async () => {
    const former = ['https://old.example/hooks/1', 'https://older.example/hooks/2'];
    const { keeper, gateway, clock, addresses, lines } = keeping(...former);
    const foreign = 'https://someone.example/else';
    gateway.kept = [...former, foreign].map((url, at) => ({ id: `f-${at}`, url, active: true }));
    gateway.unanswered = ['remove'];
    await keeper.reconcile();
    expect([addresses(), keeper.state]).toEqual([[...former, OURS], 'standing']);
    gateway.unanswered = [];
    await clock.advance(60_000);
    expect([gateway.kept.map(({ url }) => url), addresses()]).toEqual([[foreign, OURS], [OURS]]);
    expect(lines).toEqual(['Webhooks are registered with the service.']);
  });

  it('whose answer was lost is remembered all the same', async () => {
    const { keeper, gateway, addresses } = keeping('https://old.example/hooks/1');
    gateway.losingAnswers = true;
    await keeper.reconcile();
    expect([keeper.state, keeper.trouble]).toEqual(['failed', verbatim('No answer.')]);
    expect(addresses()).toEqual(['https://old.example/hooks/1', OURS]);
  });

  it('that fails is tried again, ever less often, with one line', async () => {
    const { keeper, gateway, clock, lines } = keeping();
    gateway.unanswered = ['list'];
    await keeper.reconcile();
    await clock.advance(24 * 3_600_000);
    expect(gateway.calls.length).toBeLessThan(35);
    expect(lines).toHaveLength(1);
    gateway.unanswered = [];
    await clock.advance(3_600_000);
    expect(gateway.kept.map(({ url }) => url)).toEqual([OURS]);
  });

  it('waits for a link, and is made with a new one', async () => {
    const { keeper, gateway, link, clock } = keeping();
    link.set('revoked');
    await keeper.reconcile();
    await clock.advance(3_600_000);
    expect(gateway.calls).toEqual([]);
    link.set('linked');
    await clock.advance(0);
    expect(gateway.calls).toEqual(['list', 'register']);
  });
});
