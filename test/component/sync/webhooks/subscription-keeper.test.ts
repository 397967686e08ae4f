// Staying registered: once, again when it lapsed, elsewhere when the address changed, and never at the account's cost.
import { describe, expect, it } from 'vitest';
import { message, verbatim } from '../../../../src/domain/language/message.ts';
import type { Subscription, SubscriptionGateway } from '../../../../src/domain/webhooks/ports.ts';
import type { HealthReason } from '../../../../src/domain/webhooks/report.ts';
import { Emitter } from '../../../../src/support/emitter.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import type { Log } from '../../../../src/support/log.ts';
import { SubscriptionKeeper } from '../../../../src/sync/webhooks/subscription-keeper.ts';
import { StandInLink } from '../../../stand-ins/service/link.ts';
import { ManualClock, settlePromises } from '../../../support/manual-clock.ts';

const OURS = 'https://home.example/hooks/0123456789';

class KeptSubscriptions implements SubscriptionGateway {
  kept: Subscription[] = [];
  calls: string[] = [];
  failing = false;
  removing = true;
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
    if (!this.removing) {
      throw new RetryError('unreachable', 'No answer.');
    }
    this.kept = this.kept.filter((known) => known.id !== id);
  }

  #note(call: string): void {
    this.calls.push(call);
    if (this.failing) {
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
  const log: Log = {
    debug() {},
    info: (line) => lines.push(line),
    warn: (line) => lines.push(line),
    error: (line) => lines.push(line),
  };
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
  it('is made once, and the handshake is answered only meanwhile (faults#55)', async () => {
    const { keeper, gateway, lines, addresses } = keeping();
    await keeper.look();
    expect(gateway.calls).toEqual(['list', 'register']);
    expect([gateway.consenting, addresses(), lines]).toEqual([
      false,
      [OURS],
      ['Webhooks are registered with the service.'],
    ]);
  });

  it('that is valid is left unchanged, and checked every hour', async () => {
    const { keeper, gateway, clock } = keeping();
    await keeper.look();
    await clock.advance(3 * 3_600_000);
    expect(gateway.calls).toEqual(['list', 'register', 'list', 'list', 'list']);
  });

  it('that lapsed is made again', async () => {
    const { keeper, gateway, clock, made } = keeping();
    await keeper.look();
    gateway.kept = gateway.kept.map(({ id, url }) => ({ id, url, active: false }));
    await clock.advance(3_600_000);
    expect([gateway.kept.map(({ active }) => active), made()]).toEqual([[true], 2]);
  });

  it('that the service lost is made again as soon as webhooks are doubted', async () => {
    const { keeper, gateway, clock, made, doubt } = keeping();
    await keeper.look();
    await clock.advance(600_000);
    gateway.kept = [];
    doubt();
    await clock.advance(0);
    expect([gateway.kept.map(({ url }) => url), made()]).toEqual([[OURS], 2]);
  });

  it('is checked once in five minutes however often webhooks are doubted, and every hour from then on', async () => {
    const { keeper, gateway, clock, doubt } = keeping();
    await keeper.look();
    gateway.calls.length = 0;
    for (let second = 0; second < 599; second += 1) {
      doubt();
      await clock.advance(1_000);
    }
    expect(gateway.calls).toEqual(['list']);
    await clock.advance(2 * 3_600_000);
    expect(gateway.calls).toHaveLength(3);
  });

  it('is checked at its own pace while the service fails, and never after its end', async () => {
    const { keeper, gateway, clock, doubt } = keeping();
    gateway.failing = true;
    await keeper.look();
    await clock.advance(1_000);
    doubt();
    await clock.advance(28_000);
    expect(gateway.calls).toEqual(['list']);
    await clock.advance(1_000);
    expect(gateway.calls).toEqual(['list', 'list']);
    keeper.dispose();
    doubt();
    expect(clock.pendingTimers).toBe(0);
  });

  it('of a former address of ours is removed, and those of others are not', async () => {
    const { keeper, gateway } = keeping('https://old.example/hooks/1');
    gateway.kept = [
      { id: 'a', url: 'https://old.example/hooks/1', active: true },
      { id: 'b', url: 'https://someone.example/else', active: true },
    ];
    await keeper.look();
    expect(gateway.kept.map(({ url }) => url)).toEqual(['https://someone.example/else', OURS]);
  });

  it('of former addresses that could not be removed is remembered until then, while ours stands', async () => {
    const former = ['https://old.example/hooks/1', 'https://older.example/hooks/2'];
    const { keeper, gateway, clock, addresses, lines } = keeping(...former);
    gateway.kept = former.map((url, at) => ({ id: `f-${at}`, url, active: true }));
    gateway.removing = false;
    await keeper.look();
    expect([addresses(), keeper.state]).toEqual([[...former, OURS], 'standing']);
    gateway.removing = true;
    await clock.advance(60_000);
    expect([gateway.kept.map(({ url }) => url), addresses()]).toEqual([[OURS], [OURS]]);
    expect(lines).toEqual(['Webhooks are registered with the service.']);
  });

  it('whose answer was lost is remembered all the same', async () => {
    const { keeper, gateway, addresses } = keeping('https://old.example/hooks/1');
    gateway.losingAnswers = true;
    await keeper.look();
    expect([keeper.state, keeper.trouble]).toEqual(['failed', verbatim('No answer.')]);
    expect(addresses()).toEqual(['https://old.example/hooks/1', OURS]);
  });

  it('that fails is tried again, ever less often, with one line', async () => {
    const { keeper, gateway, clock, lines } = keeping();
    gateway.failing = true;
    await keeper.look();
    await clock.advance(24 * 3_600_000);
    expect(gateway.calls.length).toBeLessThan(35);
    expect(lines).toHaveLength(1);
    gateway.failing = false;
    await clock.advance(3_600_000);
    expect(gateway.kept.map(({ url }) => url)).toEqual([OURS]);
  });

  it('waits for a link, and is made with a new one', async () => {
    const { keeper, gateway, link, clock } = keeping();
    link.set('revoked');
    await keeper.look();
    await clock.advance(3_600_000);
    expect(gateway.calls).toEqual([]);
    link.set('linked');
    await clock.advance(0);
    expect(gateway.calls).toEqual(['list', 'register']);
  });

  it('leaves no timer behind, and never names the address in the log', async () => {
    const { keeper, clock, lines } = keeping();
    await keeper.look();
    keeper.dispose();
    expect(clock.pendingTimers).toBe(0);
    expect(lines.join(' ')).not.toContain('0123456789');
  });
});
