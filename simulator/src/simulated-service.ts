// The simulated service without its routes: time, world, authorization, credentialing, script and log, put together
// from a scenario.
import type { Clock } from '../../src/support/clock.ts';
import { AuthorizationServer } from './auth/authorization-server.ts';
import type { ResourceOwner } from './auth/consent-page.ts';
import { DEFAULT_CLIENT_REQUESTS, issuePartnerClient, type PartnerClient } from './auth/partner-client.ts';
import { SecretMint } from './auth/secret-mint.ts';
import { CalendarService } from './calendars/calendar-service.ts';
import { EventStream } from './control/event-stream.ts';
import { requestLine } from './control/request-line.ts';
import { takeSnapshot } from './control/snapshot.ts';
import { CredentialingService } from './credentialing/credentialing-service.ts';
import type { CredentialingUser } from './credentialing/logins.ts';
import { FaultBoard } from './faults/fault-board.ts';
import type { ActionContext } from './scenario/action.ts';
import { RequestLog } from './scenario/request-log.ts';
import type { SeededScenario } from './scenario/scenario.ts';
import { Script } from './scenario/script.ts';
import { ShiftedClock } from './time/shifted-clock.ts';
import type { AttemptRecord } from './webhooks/courier.ts';
import type { SigningKeyPair } from './webhooks/signing-keys.ts';
import { WebhookService } from './webhooks/webhook-service.ts';
import { defaultSetup } from './world/default-setup.ts';
import { createWorld } from './world/house/world.ts';
import { WorldKeeper } from './world/house/world-keeper.ts';
import type { World } from './world/world-types.ts';

/** Everything that a reset makes anew. */
export type AccountRuntime = ReturnType<typeof buildSimulatedService>;

/** The last attempts to deliver webhooks, oldest first. A page shows fewer; a test that needs more listens to the stream. */
const DELIVERIES_KEPT = 500;

export interface SimulatedServiceOptions {
  readonly clock: Clock;
  readonly scenario: SeededScenario;
  /** Signs webhooks; one is made for the process when left out. */
  readonly signingKeys?: SigningKeyPair;
  /** PEM of the authority to trust for https receivers, instead of the built-in ones. */
  readonly trustedAuthority?: string;
}

/** Builds the service of a scenario at its first moment. */
export function buildSimulatedService(options: SimulatedServiceOptions) {
  const { clock: base, scenario } = options;
  const startedAt = scenario.startAt === undefined ? base.now() : Date.parse(scenario.startAt);
  const clock = new ShiftedClock(base, startedAt);
  const world = buildWorld(scenario, startedAt);
  const { auth, credentialing, credentialingUsers } = buildAccess(scenario, clock, world);
  const keeper = new WorldKeeper(world, clock);
  const log = new RequestLog();
  const deliveries: AttemptRecord[] = [];
  const stream = new EventStream(base, () => takeSnapshot({ ...context, script, clock }));
  const webhooks = buildWebhooks(options, clock, world, (attempt) => {
    deliveries.push(attempt);
    deliveries.splice(0, deliveries.length - DELIVERIES_KEPT);
    stream.publish('delivery', attempt);
  });
  const faults = new FaultBoard(scenario.seed);
  for (const fault of scenario.faults ?? []) {
    faults.arm(fault);
  }
  const calendars = new CalendarService({
    seed: scenario.seed,
    mint: new SecretMint(scenario.seed),
    now: () => clock.now(),
    ...(scenario.calendars === undefined ? {} : { calendars: scenario.calendars }),
  });
  const context: ActionContext = { world, auth, credentialing, webhooks, faults, calendars };
  const script = new Script(scenario.script ?? [], context, clock, (step) => {
    keeper.catchUp();
    step();
    keeper.arm();
  });
  publishEvents(context, log, stream);
  return {
    ...context,
    /** The simulator's time: the clock it was given, moved on by hand. */
    clock,
    /** Epoch milliseconds. */
    startedAt,
    scenario,
    keeper,
    credentialingUsers,
    script,
    log,
    deliveries,
    stream,
    /** Ends all timers, streams and deliveries. */
    close: async () => {
      stream.close();
      keeper.stop();
      await webhooks.close();
      clock.stop();
    },
  };
}

/** The clients: partner clients, their links, and the users of the credentialing interface. */
function buildAccess(scenario: SeededScenario, clock: Clock, world: World) {
  const now = (): number => clock.now();
  const mint = new SecretMint(scenario.seed);
  const clients = (scenario.clients ?? DEFAULT_CLIENT_REQUESTS).map((request, index) =>
    issuePartnerClient(request, index, mint),
  );
  const auth = new AuthorizationServer({
    clients,
    owners: () => ownersOf(world),
    now,
    mint,
    settings: scenario.settings?.authorization ?? {},
  });
  const credentialingUsers =
    scenario.credentialingUsers ?? clients.flatMap((client) => defaultCredentialingUsers(client, mint));
  const credentialing = new CredentialingService({
    now,
    newId: () => mint.uuid('credential'),
    newToken: () => `b-${mint.secret('credentialing-token')}`,
    users: credentialingUsers,
    settings: scenario.settings?.credentialing ?? {},
  });
  return { auth, credentialing, credentialingUsers };
}

function buildWebhooks(
  { scenario, signingKeys, trustedAuthority }: SimulatedServiceOptions,
  clock: Clock,
  world: World,
  onAttempt: (attempt: AttemptRecord) => void,
): WebhookService {
  return new WebhookService({
    clock,
    seed: scenario.seed,
    describeDevice: (deviceId) => {
      if (!world.deviceIds().includes(deviceId)) {
        return undefined;
      }
      const { name, settings } = world.inspect(deviceId);
      return { name, timeZone: settings.timeZone };
    },
    settings: scenario.settings?.webhooks ?? {},
    onAttempt,
    ...(signingKeys === undefined ? {} : { keys: signingKeys }),
    ...(trustedAuthority === undefined ? {} : { trustedAuthority }),
  });
}

function buildWorld(scenario: SeededScenario, startAt: number): World {
  const service = defaultSetup(scenario.seed, startAt);
  return createWorld({
    ...service,
    busyMode: scenario.settings?.busyMode ?? '409',
    users: scenario.users ?? service.users,
    // The default locks belong to the default users.
    devices: scenario.locks ?? (scenario.users === undefined ? service.devices : []),
  });
}

function publishEvents({ world, auth, webhooks }: ActionContext, log: RequestLog, stream: EventStream): void {
  auth.onUnlinked((userId, clientId) => webhooks.unlink(userId, clientId));
  world.onEvent((worldEvent) => {
    // The notification of a sign-out is sent before its link ends.
    webhooks.publish(worldEvent);
    if (worldEvent.kind === 'signed-out-everywhere') {
      auth.revoke(worldEvent.userId, null);
    }
    stream.publish('activity', worldEvent);
  });
  log.onRequest((request, tookMs) => stream.publish('request', requestLine(request, tookMs)));
}

/** A full user, one that may also issue restricted formats, and the two roles without rights. */
function defaultCredentialingUsers({ clientId }: PartnerClient, mint: SecretMint): CredentialingUser[] {
  const user = (
    name: string,
    role: CredentialingUser['role'],
    mayIssueRestricted = false,
  ): CredentialingUser => ({
    clientId,
    username: `${name}@${clientId}.example`,
    password: mint.secret(`password-${name}-${clientId}`),
    role,
    mayIssueRestricted,
  });
  return [
    user('administrator', 'Administrator'),
    user('restricted-issuer', 'Administrator', true),
    user('manager', 'Manager'),
    user('operator', 'Operator'),
  ];
}

function ownersOf(world: World): readonly ResourceOwner[] {
  const locks = world.deviceIds().map((deviceId) => world.inspect(deviceId));
  return world.users().map(({ userId, friendlyName }) => ({
    id: userId,
    displayName: friendlyName,
    locks: locks.flatMap(({ name, roles }) => {
      const role = roles[userId];
      return role === undefined ? [] : [{ name, role }];
    }),
  }));
}
