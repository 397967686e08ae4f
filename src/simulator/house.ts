// The simulated service without its routes: time, world, authorization, credentialing, script and log, put together
// from a scenario.
import type { Clock } from '../support/clock.ts';
import { AuthorizationServer } from './auth/authorization-server.ts';
import type { ResourceOwner } from './auth/consent-page.ts';
import { DEFAULT_CLIENT_WISHES, issuePartnerClient, type PartnerClient } from './auth/partner-client.ts';
import { SecretMint } from './auth/secret-mint.ts';
import { EventStream } from './control/event-stream.ts';
import { takeSnapshot } from './control/snapshot.ts';
import { CredentialingService } from './credentialing/credentialing-service.ts';
import type { CredentialingUser } from './credentialing/logins.ts';
import type { ActionContext } from './scenario/action.ts';
import { RequestLog } from './scenario/request-log.ts';
import type { SeededScenario } from './scenario/scenario.ts';
import { Script } from './scenario/script.ts';
import { ShiftedClock } from './shifted-clock.ts';
import { defaultSetup } from './world/default-setup.ts';
import { createWorld } from './world/world.ts';
import type { World } from './world/world-types.ts';
import { WorldKeeper } from './world-keeper.ts';

/** Everything that a reset makes anew. */
export interface House extends ActionContext {
  /** The simulator's time: the clock it was given, moved on by hand. */
  readonly clock: ShiftedClock;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly scenario: SeededScenario;
  readonly keeper: WorldKeeper;
  readonly credentialingUsers: readonly CredentialingUser[];
  readonly script: Script;
  readonly log: RequestLog;
  readonly stream: EventStream;
  /** Ends all timers and streams. */
  close(): void;
}

/** Builds the house of a scenario at its first moment. */
export function buildHouse(base: Clock, scenario: SeededScenario): House {
  const startAt = scenario.startAt === undefined ? base.now() : Date.parse(scenario.startAt);
  const clock = new ShiftedClock(base, startAt);
  const now = (): number => clock.now();
  const mint = new SecretMint(scenario.seed);
  const world = buildWorld(scenario, now());
  const keeper = new WorldKeeper(world, clock);
  const clients = (scenario.clients ?? DEFAULT_CLIENT_WISHES).map((wish, index) =>
    issuePartnerClient(wish, index, mint),
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
  const context: ActionContext = { world, auth, credentialing };
  const log = new RequestLog();
  const stream = new EventStream(base, () => takeSnapshot(context));
  const script = new Script(scenario.script ?? [], context, clock, (step) => {
    keeper.catchUp();
    step();
    keeper.arm();
  });
  spreadTheNews(context, log, stream);
  return {
    ...context,
    clock,
    startedAt: startAt,
    scenario,
    keeper,
    credentialingUsers,
    script,
    log,
    stream,
    close: () => {
      stream.close();
      keeper.stop();
      clock.stop();
    },
  };
}

function buildWorld(scenario: SeededScenario, startAt: number): World {
  const house = defaultSetup(scenario.seed, startAt);
  return createWorld({
    ...house,
    busyMode: scenario.settings?.busyMode ?? '409',
    users: scenario.users ?? house.users,
    // The default locks belong to the default users.
    devices: scenario.locks ?? (scenario.users === undefined ? house.devices : []),
  });
}

function spreadTheNews({ world, auth }: ActionContext, log: RequestLog, stream: EventStream): void {
  world.onHappening((happening) => {
    if (happening.kind === 'signed-out-everywhere') {
      auth.revoke(happening.userId, null);
    }
    stream.publish('happening', happening);
  });
  log.onRequest((request) => {
    stream.publish('request', request);
  });
}

/** One who may do all, one who may also issue restricted codes, and the two roles that may do nothing. */
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
