// A reviewer's walk: what a Homebridge logs, opens and leaves behind without a configuration, with the name alone, in the
// demo, and with a wrong value of each kind.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it, vi } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import {
  type Block,
  HomebridgeProcess,
  type Installation,
  installHomebridge,
  type Versions,
} from '../harness/homebridge.ts';
import { isAlive, KNOWS_LISTENERS, listenersOf, processTree } from '../harness/listeners.ts';
import { SleepyMachine } from '../harness/sleepy-machine.ts';
import { CANARY, FAULTY_BLOCKS } from '../support/wrong-blocks.ts';

export interface Walked {
  /** The versions, in the title. */
  readonly on: string;
  readonly versions?: Versions;
  /** What Homebridge complains of itself. */
  readonly itsOwn?: RegExp;
  /** Whether the demo is met, too; it takes longer. */
  readonly withDemo?: boolean;
}

interface Start {
  readonly platform?: Block;
  readonly more?: readonly Block[];
  readonly onChildBridge?: boolean;
}

/** The blocks with the most faults: one is like the other to Homebridge. */
const FAULTY = 3;

/** A minute at rest takes a second. */
const PACE = 60;

/** Half a minute with an account. */
const ACCOUNT_PACE = 2;
const MINUTE_MS = 60_000;
const SAID_WITHIN_MS = 30_000;
/** A child bridge has five seconds to end. */
const ENDED_WITHIN_MS = 10_000;

/** What Homebridge logs of a platform before its plugin says anything. */
const BEGINNING = /^(?:Initializing|Launched|Child bridge|Publishing|Loaded) /u;
/** What Homebridge logs when it ends. */
const ENDING = /^Got SIGTERM|Child bridge process ended/u;
const LABELLED = /^\[(?<label>[^\]]*)\] (?<text>.*)$/u;

/** One Homebridge of the walk, on a machine whose clocks run faster. */
class Stop {
  readonly #folder: string;
  readonly #machine: SleepyMachine;
  readonly #installation: Installation;
  readonly #homebridge: HomebridgeProcess;
  readonly #itsOwn: RegExp;

  static async begin({ versions, itsOwn = /^$/u }: Walked, start: Start): Promise<Stop> {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-walk-'));
    const machine = new SleepyMachine(folder);
    const installation = await installHomebridge({
      ...start,
      storeFolder: join(folder, 'homebridge'),
      pluginsFolder: inject('packed').pluginsFolder,
    });
    const { environment } = machine;
    const homebridge = await HomebridgeProcess.start(installation, {
      environment,
      ...(versions === undefined ? {} : { versions }),
    });
    return new Stop(folder, machine, installation, homebridge, itsOwn);
  }

  private constructor(
    folder: string,
    machine: SleepyMachine,
    installation: Installation,
    homebridge: HomebridgeProcess,
    itsOwn: RegExp,
  ) {
    this.#itsOwn = itsOwn;
    this.#folder = folder;
    this.#machine = machine;
    this.#installation = installation;
    this.#homebridge = homebridge;
  }

  /** Everything that was logged, without what Homebridge complains of itself. */
  get lines(): readonly string[] {
    return this.#homebridge.lines.map(({ text }) => text).filter((line) => !this.#itsOwn.test(line));
  }

  /** Warnings and errors of nobody's name, such as a stack. */
  strays(): readonly string[] {
    return this.#homebridge.complaints().filter((line) => !LABELLED.test(line) && !this.#itsOwn.test(line));
  }

  /** What the plugin has said of each account, by the name that stands before its lines. */
  said(): Said {
    const said: Record<string, string[]> = {};
    for (const line of this.lines) {
      const { label = '', text = '' } = LABELLED.exec(line)?.groups ?? {};
      if (text !== '' && !BEGINNING.test(text) && !HAPPENING.test(text)) {
        said[label] = [...(said[label] ?? []), text].sort();
      }
    }
    return said;
  }

  /** Every port beside Homebridge's own. */
  openPorts(): readonly string[] {
    return listenersOf(processTree(this.#homebridge.pid ?? 0))
      .filter(({ port }) => !this.#installation.ports.includes(port))
      .map(({ isLocal }) => (isLocal ? 'for this machine alone' : 'for everybody'));
  }

  /** What is logged in a minute of this machine, at a pace. */
  async linesOfAMinute(pace: number): Promise<readonly string[]> {
    const before = this.lines.length;
    const since = this.#machine.clock.monotonic();
    this.#machine.hurry(pace);
    await vi.waitUntil(() => this.#machine.clock.monotonic() - since > MINUTE_MS, MINUTE_MS);
    this.#machine.hurry(1);
    return this.lines
      .slice(before)
      .filter((line) => !HAPPENING.test(LABELLED.exec(line)?.groups?.['text'] ?? line));
  }

  /** Below Homebridge's folder, what the plugin keeps. */
  kept(): readonly string[] {
    return readdirSync(this.#installation.storeFolder).filter((name) => name.startsWith('latchkey'));
  }

  /** Stops Homebridge. Resolves with what that logs, once every process that it started has ended, too. */
  async end(): Promise<readonly string[]> {
    const before = this.lines.length;
    const tree = processTree(this.#homebridge.pid ?? 0);
    await this.#homebridge.stop();
    await vi.waitUntil(() => !tree.some(isAlive), ENDED_WITHIN_MS);
    return this.lines.slice(before).filter((line) => !ENDING.test(line));
  }

  async forget(): Promise<void> {
    await this.#homebridge.kill();
    this.#machine.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const NAME = 'Latchkey';
const MISSING = `Not started. "${NAME}" is waiting for service details: partner.authUrl, partner.baseUrl, partner.redirectUri. Add them in the plugin's settings or config.json.`;

const FIX = 'Not started. Fix this option in config.json, then restart Homebridge: ';

type Said = Readonly<Record<string, readonly unknown[]>>;

interface Leg {
  /** What is in config.json, in the title. */
  readonly of: string;
  readonly start: Start;
  /** Every line of the plugin for whoever has to do something, by the name that stands before it, in any order. */
  readonly said: Said;
  /** Who reaches the ports beside Homebridge's own. */
  readonly ports?: readonly string[];
  /** What the plugin keeps below Homebridge's folder. */
  readonly kept?: readonly string[];
  /** Whether an account is opened. */
  readonly hasAccount?: boolean;
}

/** The demo goes on to say what happens in it: to a person who looks it is a home with locks. */
const DEMO: readonly unknown[] = [expect.stringMatching(/^DEMO: the locks are simulated; no account /u)];
const HAPPENING = /^(?:Account connected\.|Demo [\w ]+: added |Calendar "Rental portal")/u;
const HERE = 'for this machine alone';

/** What Homebridge writes before the lines of a block. */
function shownName(name: unknown): string {
  return typeof name === 'string' || typeof name === 'number' ? String(name) : NAME;
}

/** A block of config.json with many faults: of one that could start, a line says what it waits for. */
const faultyLegs: readonly Leg[] = FAULTY_BLOCKS.slice(0, FAULTY).map(({ block, lines }, index) => ({
  of: `faults in ${String(lines.length)} options (${String(index + 1)})`,
  start: { platform: { platform: NAME, ...block } },
  said: {
    [shownName(block['name'])]: readConfig(block).ok
      ? [...lines, MISSING].toSorted()
      : lines.map((line) => `${FIX}${line}`),
  },
}));

/** An address of the documentation's, which no machine has (RFC 5737), and names that nobody can have (RFC 2606). */
const NOWHERE: Block = {
  platform: NAME,
  name: NAME,
  partner: {
    authUrl: 'https://auth.invalid',
    baseUrl: 'https://api.invalid',
    redirectUri: 'https://home.invalid/callback',
    clientId: 'client',
    clientSecret: CANARY,
    subscriptionKeys: [CANARY],
  },
  webhooks: {
    enabled: true,
    publicUrl: 'https://home.invalid',
    host: '192.0.2.1',
    keys: ['/no/such/key.pem'],
  },
  panel: { enabled: true, host: '192.0.2.1' },
  mqtt: { url: 'mqtts://broker.invalid', username: 'home', password: CANARY },
  stays: [{ name: 'House', address: `https://calendar.invalid/${CANARY}`, locks: ['front'] }],
};

/** In the order of the alphabet. */
const UNREACHED: readonly unknown[] = [
  expect.stringMatching(/^Calendar "House": The portal's name can't be found\. Check the address /u),
  expect.stringMatching(/^MQTT: .* It is tried again\.$/u),
  expect.stringMatching(/^No lock account is connected\. Connect one /u),
  expect.stringMatching(/^The dashboard cannot be served on 192\.0\.2\.1 .*; it will be tried again\.$/u),
  expect.stringMatching(/^Webhooks cannot be received: /u),
  expect.stringMatching(/^panel\.host: opens the dashboard to your network /u),
];

const LEGS: readonly Leg[] = [
  { of: 'no block', start: {}, said: {} },
  { of: 'the platform alone', start: { platform: { platform: NAME } }, said: { [NAME]: [MISSING] } },
  {
    of: 'the demo',
    start: { platform: { platform: NAME, name: NAME, demo: true } },
    said: { [NAME]: DEMO },
    ports: [HERE],
    hasAccount: true,
  },
  {
    of: 'an account at addresses, of this machine and others, that there are not',
    start: { platform: NOWHERE },
    said: { [NAME]: UNREACHED },
    kept: ['latchkey'],
    hasAccount: true,
  },
  {
    of: 'the name, the demo and a fault on child bridges',
    start: {
      platform: { platform: NAME, name: NAME },
      more: [
        { platform: NAME, name: 'Demo', demo: true },
        { platform: NAME, name: 'Fault', panel: { port: 0 } },
      ],
      onChildBridge: true,
    },
    said: { [NAME]: [MISSING], Demo: DEMO, Fault: [`${FIX}panel.port: must be at least 1; raise it`] },
    ports: [HERE],
    hasAccount: true,
  },
  ...faultyLegs,
];

/** The walk on one Homebridge and Node. */
export function describeWalk(walked: Walked): void {
  const { on, withDemo = true } = walked;
  const legs = LEGS.filter(({ of }) => withDemo || !of.includes('demo'));

  describe(`${on}, as a reviewer meets it`, () => {
    it.concurrent.each(legs)(
      'logs one line for each thing to do and none at rest, opens no port of its own, and ends clean, with $of',
      async ({ start, said, ports = [], kept = [], hasAccount = false }) => {
        const stop = await Stop.begin(walked, start);
        try {
          await vi.waitFor(() => expect(stop.said()).toEqual(said), SAID_WITHIN_MS);
          expect(await stop.linesOfAMinute(hasAccount ? ACCOUNT_PACE : PACE)).toEqual([]);
          expect(stop.said()).toEqual(said);
          expect(stop.strays()).toEqual([]);
          expect(stop.lines.filter((line) => line.includes(CANARY))).toEqual([]);
          if (KNOWS_LISTENERS) {
            expect(stop.openPorts()).toEqual(ports);
          }
          expect(await stop.end()).toEqual([]);
          expect(stop.kept()).toEqual(kept);
        } finally {
          await stop.forget();
        }
      },
    );
  });
}
