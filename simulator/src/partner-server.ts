// Opens a simulator on loopback: one listening server with a simulation that can be reset.
import { createServer, type Server } from 'node:http';
import { type Clock, systemClock } from '../../src/support/clock.ts';
import type { AuthSettings } from './auth/auth-settings.ts';
import { calendarPath } from './calendars/calendar-service.ts';
import type { CalendarForm } from './calendars/calendar-setup.ts';
import { writeRecording } from './scenario/recording.ts';
import type { Scenario, SeededScenario } from './scenario/scenario.ts';
import { openSimulation, PREFIXES, type Simulation } from './simulation.ts';
import type { SigningKeyPair } from './webhooks/signing-keys.ts';
import type { WebhookSettingsChange } from './webhooks/webhook-settings.ts';

/** The simulator serves this machine only. */
const LOOPBACK = '127.0.0.1';

const DEFAULT_SEED = 'latchkey';

export interface SimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Settles every id, token and chance; wins over the scenario's. */
  readonly seed?: string;
  readonly scenario?: Scenario;
  readonly clock?: Clock;
  /** Switches of the authorization server; they win over the scenario's. */
  readonly authorization?: Partial<AuthSettings>;
  /** Switches of webhook delivery; they win over the scenario's. */
  readonly webhooks?: WebhookSettingsChange;
  /** Signs webhooks; one pair is made for the process when left out. */
  readonly signingKeys?: SigningKeyPair;
  /** PEM of the authority to trust for https receivers, instead of the built-in ones. */
  readonly trustedAuthority?: string;
}

export interface CalendarAddress {
  readonly name: string;
  readonly form: CalendarForm;
  /** A secret, as with real portals: whoever has it reads the bookings. */
  readonly url: string;
}

/** A running simulator. Its parts are looked up at each access, since a reset replaces them. */
export type Simulator = ReturnType<typeof describe>;

/**
 * Starts a simulator on loopback and waits until it listens.
 * Rejects with the system's error (`EADDRINUSE`, `EACCES`) when the port cannot be had.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const clock = options.clock ?? systemClock;
  let current: Simulation;
  const open = (scenario: SeededScenario): Promise<Simulation> =>
    openSimulation({
      ...options,
      clock,
      scenario,
      reset: async (wanted) => {
        const last = current;
        current = await open({ ...wanted, seed: wanted.seed ?? last.scenario.seed });
        await last.close();
      },
    });
  current = await open(beginning(options));
  const came = { requests: 0 };
  const server = createServer((request, response) => {
    came.requests += 1;
    current.app.routing(request, response);
  });
  try {
    const port = await listen(server, options.port ?? 0);
    return describe(server, port, came, () => current);
  } catch (error) {
    await current.close();
    throw error;
  }
}

/** The scenario with the options worked in, so that its recording holds everything there is to know. */
function beginning({ seed, scenario = {}, authorization, webhooks }: SimulatorOptions): SeededScenario {
  const { settings = {} } = scenario;
  return {
    ...scenario,
    seed: seed ?? scenario.seed ?? DEFAULT_SEED,
    settings: {
      ...settings,
      authorization: { ...settings.authorization, ...authorization },
      webhooks: { ...settings.webhooks, ...webhooks },
    },
  };
}

/** Resolves with the port that was had. */
async function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: LOOPBACK, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function describe(
  server: Server,
  port: number,
  came: { readonly requests: number },
  current: () => Simulation,
) {
  const url = `http://${LOOPBACK}:${String(port)}`;
  return {
    /** `http://127.0.0.1:<port>`, the doors page. */
    url,
    /** `{auth_url}` of the specification, and so on. */
    authUrl: `${url}${PREFIXES.auth}`,
    baseUrl: `${url}${PREFIXES.base}`,
    credentialsBaseUrl: `${url}${PREFIXES.credentials}`,
    controlUrl: `${url}${PREFIXES.control}`,
    get productSegment() {
      return current().productSegment;
    },
    get clients() {
      return current().auth.clients;
    },
    get users() {
      return current().world.users();
    },
    get credentialingUsers() {
      return current().credentialingUsers;
    },
    get calendars(): readonly CalendarAddress[] {
      return current().calendars.calendars.map((calendar) => {
        const { name, form } = calendar;
        return { name, form, url: `${url}${calendarPath(calendar)}` };
      });
    },
    /** The newest key that webhooks are signed with. */
    get publicKeyPem() {
      return current().webhooks.publishedKey().publicKey;
    },
    get world() {
      return current().world;
    },
    /** The simulator's own time. */
    get clock() {
      return current().clock;
    },
    /** How many requests have come so far, answered or not. */
    get requestsCome() {
      return came.requests;
    },
    /** The log as JSON lines, with the scenario on its first line. */
    recording: () => writeRecording(current()),
    /** Resolves when no webhook is being sent; retries that wait for their time do not count. */
    deliveriesIdle: () => current().webhooks.idle(),
    close: async () => {
      await current().close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
