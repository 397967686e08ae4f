// Tests the delivery path of webhooks whenever it has been quiet for a while, and reports the result to the monitor.

import { provesDelivery, type SelfTestReport } from '../../domain/webhooks/report.ts';
import {
  type DeliveryPathFacts,
  nextTestAt,
  silentAt,
  testsAreInconclusive,
} from '../../domain/webhooks/self-test-policy.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import type { WebhookMonitor } from './monitor.ts';

/** The longest until the next look whether a test is due, in milliseconds (our choice): an event may change the due time. */
const CHECKED_EVERY_MS = 300_000;

export class SelfTestRound {
  readonly #parts;
  #timer: CancelTimer | null = null;
  #underWay: Promise<SelfTestReport> | null = null;
  #last: SelfTestReport | null = null;
  #lastTestAt: number | null = null;
  #lastThroughAt: number | null = null;
  #failures = 0;
  #disposed = false;

  constructor(parts: {
    readonly watch: WebhookMonitor;
    /** Sends one test through the public address. Never rejects. */
    readonly test: () => Promise<SelfTestReport>;
    /** Whether there is a public address that is registered with the service: any other proves nothing. */
    readonly testable: () => boolean;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
  }

  get last(): SelfTestReport | null {
    return this.#last;
  }

  /** Checks now whether a test is due, and regularly from then on. */
  testIfDue(): void {
    this.#timer?.();
    if (this.#disposed) {
      return;
    }
    const { clock, watch } = this.#parts;
    const now = clock.monotonic();
    if (testsAreInconclusive(this.#facts(now))) {
      this.#lastThroughAt = null;
    }
    const facts = this.#facts(now);
    const silent = silentAt(facts) ?? Number.POSITIVE_INFINITY;
    const due = nextTestAt(facts) ?? Number.POSITIVE_INFINITY;
    if (silent <= now) {
      watch.fellSilent();
    }
    if (due <= now) {
      void this.testNow();
    }
    const next = [silent, due].filter((at) => at > now);
    this.#timer = clock.after(Math.min(...next.map((at) => at - now), CHECKED_EVERY_MS), () =>
      this.testIfDue(),
    );
  }

  /** Tests now; a test under way is joined. Never rejects. */
  async testNow(): Promise<SelfTestReport> {
    this.#underWay ??= this.#test();
    return this.#underWay;
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.();
  }

  async #test(): Promise<SelfTestReport> {
    const { clock, watch, test, testable } = this.#parts;
    const report = await test();
    // This is cleared before `look`, which plans no test while one is under way.
    this.#underWay = null;
    if (this.#disposed) {
      return report;
    }
    this.#last = report;
    this.#lastTestAt = clock.monotonic();
    const isThrough = provesDelivery(report);
    this.#failures = isThrough ? 0 : this.#failures + 1;
    if (isThrough && testable()) {
      this.#lastThroughAt = this.#lastTestAt;
      watch.cameThrough();
    }
    this.testIfDue();
    return report;
  }

  #facts(now: number): DeliveryPathFacts {
    return {
      now,
      lastEventAt: this.#parts.watch.lastEventAt,
      lastThroughAt: this.#lastThroughAt,
      lastTestAt: this.#lastTestAt,
      failures: this.#failures,
      testable: this.#parts.testable() && this.#underWay === null,
    };
  }
}
