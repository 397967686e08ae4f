// Tests whether commands arrive: a broker may grant a subscription, and then deliver nothing.
import { randomUUID } from 'node:crypto';
import type { Carrier, IncomingMessage } from '../../../carrier/carrier.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import type { CancelTimer, Clock } from '../../../support/clock.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';

/** A message to ourselves takes longer only when it does not come, in milliseconds (our choice). */
const ARRIVES_WITHIN_MS = 10_000;

export class CommandPath {
  readonly #parts;
  #test: string | null = null;
  #isProven = false;
  #cancel: CancelTimer = () => {};
  #trouble: Message | null = null;

  constructor(parts: {
    readonly carrier: Pick<Carrier, 'state' | 'publish'>;
    readonly topic: string;
    readonly clock: Clock;
    readonly log: Log;
    readonly onChange: () => void;
  }) {
    this.#parts = parts;
  }

  /** Why commands do not arrive; null while they do, and before the first test has ended. */
  get trouble(): Message | null {
    return this.#trouble;
  }

  /**
   * False at first: what comes before the first test may be what the broker has kept, also from a broker that ignores how we
   * subscribe, and marks nothing as retained.
   */
  get isProven(): boolean {
    return this.#isProven;
  }

  /** Another connection has begun. */
  begin(): void {
    this.close();
    this.#isProven = false;
  }

  /** Sends a test, unless one is under way. Never rejects. */
  async try(): Promise<void> {
    const { carrier, topic, clock } = this.#parts;
    if (this.#test !== null || carrier.state.kind !== 'connected') {
      return;
    }
    const test = randomUUID();
    this.#test = test;
    this.#cancel = clock.after(ARRIVES_WITHIN_MS, () => {
      this.#ended(
        message('The broker does not deliver commands to the plugin. Let its user read and write {topic}.', {
          topic: topic.replace(/[^/]+\/set$/, '#'),
        }),
      );
    });
    try {
      await carrier.publish({ topic, payload: test });
    } catch {
      // The test was lost with its connection, or refused: nothing arrives, and the timeout reports that.
    }
  }

  arrived({ payload }: IncomingMessage): void {
    if (this.#test !== null && new TextDecoder().decode(payload) === this.#test) {
      this.#ended(null);
    }
  }

  close(): void {
    this.#cancel();
    this.#test = null;
  }

  #ended(trouble: Message | null): void {
    this.close();
    this.#isProven = true;
    if (trouble !== null && this.#parts.carrier.state.kind !== 'connected') {
      return;
    }
    const before = this.#trouble;
    this.#trouble = trouble;
    if (trouble !== null && before === null) {
      this.#parts.log.error(`MQTT: ${t(trouble)}`);
    } else if (trouble === null && before !== null) {
      this.#parts.log.info(t('The MQTT broker delivers commands again.'));
    }
    if ((trouble === null) !== (before === null)) {
      this.#parts.onChange();
    }
  }
}
