// The demo: a simulated service in the place of a partner's, kept running and linked without a person.
import type { Config } from '../config/config.ts';
import { type DemoCalendar, type DemoService, readDemoService } from '../config/demo-service.ts';
import { message } from '../domain/language/message.ts';
import type { PanelApi } from '../panel/operations/panel-api.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { messageOf, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';
import { removeDemoFolder } from './folder.ts';
import { demoGifts, type GiftOperations } from './gifts.ts';
import { type DemoProcess, type DemoSystem, demoSystem } from './process.ts';

/** The pause before a service that ended by itself is started again, in milliseconds (our choice). */
const RESTART_AFTER_MS = 2_000;

const END_IN_HOMEBRIDGE = message('To end the demo, set "{option}" to {value} and restart Homebridge.', {
  option: 'demo',
  value: 'false',
});

type Operations = GiftOperations & Pick<PanelApi, 'link.start' | 'link.finish'>;

export class Demo {
  readonly #parts;
  readonly #system: DemoSystem;
  #process: DemoProcess | null = null;
  #operations: Operations | null = null;
  /** The calendar, which is added once: afterwards a person may change or remove it. */
  #calendar: DemoCalendar | null = null;
  #cancelRestart: CancelTimer = () => {};
  #isClosed = false;

  constructor(parts: {
    readonly config: Config;
    readonly homebridgeFolder: string;
    readonly clock: Clock;
    readonly log: Log;
    readonly system?: DemoSystem;
    /** How a person ends the demo, as a sentence; Homebridge's way when left out. */
    readonly howToEnd?: string;
  }) {
    this.#parts = parts;
    this.#system = parts.system ?? demoSystem;
  }

  /**
   * Removes what an earlier demo stored and starts the service. Resolves with the configuration of the account at it, or
   * null when the demo was closed meanwhile. Rejects with a retry error when the service does not start.
   */
  async open(): Promise<Config | null> {
    const { config, homebridgeFolder, log, howToEnd = t(END_IN_HOMEBRIDGE) } = this.#parts;
    removeDemoFolder(homebridgeFolder, config);
    const introduction = await this.#start(0);
    if (this.#isClosed) {
      return null;
    }
    if (introduction === null) {
      throw new RetryError('unreachable', message('The simulated service of the demo did not start.'));
    }
    const { url, partner, calendar } = introduction;
    this.#calendar = calendar;
    log.info(
      `${t(
        'DEMO: the locks are simulated; no account and no real lock is involved. Turn them by hand on this computer at {url}.',
        { url },
      )} ${howToEnd}`,
    );
    return { ...config, partner };
  }

  /** Links the account of these operations, and again whenever the service had to be started again. Never rejects. */
  async link(operations: Operations): Promise<void> {
    this.#operations = operations;
    try {
      const { authorizeUrl } = await operations['link.start'](undefined);
      const redirectedUrl = await this.#system.consent(authorizeUrl);
      await operations['link.finish']({ redirectedUrl });
      await this.#addCalendar(operations);
    } catch (error) {
      if (!this.#isClosed) {
        this.#parts.log.error(
          t('The demo could not be linked; restart Homebridge. {why}', { why: messageOf(error) }),
        );
      }
    }
  }

  async #addCalendar(operations: Operations): Promise<void> {
    const calendar = this.#calendar;
    this.#calendar = null;
    if (calendar !== null && !this.#isClosed) {
      await Promise.all(demoGifts.all.map(async (give) => give(calendar, operations, this.#parts.log)));
    }
  }

  /** Ends the service and removes what was stored; the account is closed before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRestart();
    this.#process?.end();
    await this.#process?.ended;
    removeDemoFolder(this.#parts.homebridgeFolder, this.#parts.config);
  }

  /** Null when it ended at once. */
  async #start(port: number): Promise<DemoService | null> {
    const service = this.#system.start(port);
    this.#process = service;
    const line = await service.introduction;
    const introduction = line === null ? null : readDemoService(line);
    if (introduction !== null) {
      const usedPort = Number(new URL(introduction.url).port);
      void service.ended.then(() => this.#restartLater(usedPort));
    }
    return introduction;
  }

  /** On the same port, since the account was opened with its address. */
  #restartLater(port: number): void {
    const { clock, log } = this.#parts;
    if (this.#isClosed) {
      return;
    }
    log.warn(t('The simulated service of the demo has ended; starting it again.'));
    this.#cancelRestart = clock.after(RESTART_AFTER_MS, () => {
      this.#restart(port).catch((error: unknown) => {
        log.error(
          t('The demo could not be started again; restart Homebridge. {why}', { why: messageOf(error) }),
        );
      });
    });
  }

  async #restart(port: number): Promise<void> {
    const introduction = await this.#start(port);
    if (introduction === null) {
      this.#restartLater(port);
    } else if (this.#operations !== null && !this.#isClosed) {
      await this.link(this.#operations);
    }
  }
}
