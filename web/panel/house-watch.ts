// Keeps the pages' knowledge current: reads everything when the line stands, then what events make out of date.
import { browserNow } from './browser-clock.ts';
import { afterEvent, type House, NOTHING_KNOWN, READINGS, type Reading, readingsAfter } from './house.ts';
import { shownError, type Transport } from './transport.ts';

export class HouseWatch {
  readonly #transport: Transport;
  readonly #onChange: (house: House) => void;
  readonly #endings: (() => void)[] = [];
  #house = NOTHING_KNOWN;
  #isTold = true;
  #isOver = false;

  /** Calls back with the whole, at most once in a turn of the browser, until it is closed. */
  constructor(transport: Transport, onChange: (house: House) => void) {
    this.#transport = transport;
    this.#onChange = onChange;
  }

  start(): void {
    this.#endings.push(
      this.#transport.listen(
        (event) => {
          const outdated = readingsAfter(this.#house, event);
          this.#learn(afterEvent(this.#house, event));
          void this.read(...outdated);
        },
        (connected) => {
          this.#learn({ ...this.#house, connected });
          if (connected) {
            void this.read(...READINGS);
          }
        },
      ),
    );
    // Whoever comes back from the service's page wants to see the truth, whatever was missed meanwhile.
    const returned = (): void => {
      if (document.visibilityState === 'visible') {
        void this.read('link.show', 'status', 'locks');
      }
    };
    document.addEventListener('visibilitychange', returned);
    window.addEventListener('focus', returned);
    this.#endings.push(() => {
      document.removeEventListener('visibilitychange', returned);
      window.removeEventListener('focus', returned);
    });
  }

  /** Reads these anew. Never rejects: what fails stands in `trouble`. */
  async read(...readings: readonly Reading[]): Promise<void> {
    await Promise.all(readings.map(async (reading) => this.#readOne(reading)));
  }

  close(): void {
    this.#isOver = true;
    for (const end of this.#endings) {
      end();
    }
  }

  async #readOne(reading: Reading): Promise<void> {
    try {
      const result = await this.#transport.call(reading);
      this.#learn({ ...this.#house, [reading]: result, trouble: null });
      const { status } = this.#house;
      if (reading === 'status' && status !== null) {
        this.#learn({ ...this.#house, aheadMs: status.serviceNow - browserNow() });
      }
    } catch (thrown) {
      this.#learn({ ...this.#house, trouble: shownError(thrown) });
    }
  }

  #learn(house: House): void {
    this.#house = house;
    if (this.#isTold && !this.#isOver) {
      this.#isTold = false;
      queueMicrotask(() => {
        this.#isTold = true;
        if (!this.#isOver) {
          this.#onChange(this.#house);
        }
      });
    }
  }
}
