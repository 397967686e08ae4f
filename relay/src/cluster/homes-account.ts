// The account of all homes, as the nodes are told of it: what a home may do, and whose login is not accepted any more.
import type { Account, Export, User } from '@nats-io/jwt';
import type { KeyPair } from '@nats-io/nkeys';
import { NatsConnection, type NatsLogin, type NatsOptions } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { RetryError } from '../../../src/support/errors.ts';

/** Bytes of the largest event with its headers: 64 kB, encrypted and as base64url. */
const LARGEST_PAYLOAD = 131_072;
const HOME_SUBSCRIPTIONS = 4;

/** Of an account, where its users have limits of their own. */
export const UNLIMITED = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: 0,
};

/** Papers of a login that are older than this are not accepted: all that will ever be signed. In seconds. */
const FOR_GOOD = 4_102_444_800;
/** So many fit into what a node takes at once, a megabyte. */
export const MOST_LOGINS = 8_000;
const ANSWERS_WITHIN_MS = 5_000;

const OF_A_SEAT = seatSubjects('{{name()}}');

/**
 * What homes reach of the account with the stream. Answers pass from one account to the other: in one account, a home could
 * have the broker answer to a subject that deletes the stream, because no right covers the subject of an answer.
 */
export const SHARED_WITH_HOMES: readonly Export[] = [
  { name: 'next', subject: seatSubjects('*').next, type: 'service', response_type: 'Stream' },
  { name: 'acknowledge', subject: seatSubjects('>').acknowledge, type: 'service' },
  { name: 'ask', subject: seatSubjects('*').ask, type: 'service' },
];

/** Where the nodes take another paper of this account. */
const updateOf = (account: string): string => `$SYS.REQ.ACCOUNT.${account}.CLAIMS.UPDATE`;

const CLERK_INBOX = '_INBOX.papers';

/** Of a login in the system's account: the paper of no other account. */
export const clerkRights = (account: string): Partial<User> => ({
  pub: { allow: [updateOf(account)], deny: [] },
  sub: { allow: [`${CLERK_INBOX}.>`], deny: [] },
});

export interface HomesKeys {
  readonly account: string;
  /** Signs homes. A holder of it cannot give more than the rights of a seat. */
  readonly seed: string;
  /** Of the account with the stream. */
  readonly relays: string;
  /** Signs the paper of this account. */
  readonly operator: string;
  /** In the system's account. */
  readonly login: NatsLogin;
}

/** `ended`: public keys of logins that no node accepts. */
export async function homesPaper(
  nats: NatsPackage,
  { account, seed, relays, operator }: Omit<HomesKeys, 'login'>,
  ended: readonly string[] = [],
): Promise<string> {
  const scope = nats.newScopedSigner(keyOf(nats, seed), 'home', {
    pub: { allow: [OF_A_SEAT.next, `${OF_A_SEAT.acknowledge}.>`, OF_A_SEAT.ask], deny: [] },
    sub: { allow: [`${OF_A_SEAT.inbox}.>`], deny: [] },
    subs: HOME_SUBSCRIPTIONS,
    data: -1,
    payload: LARGEST_PAYLOAD,
  });
  const paper: Partial<Account> = {
    limits: UNLIMITED,
    signing_keys: [scope],
    imports: SHARED_WITH_HOMES.map(({ name, subject, type }) => ({
      name,
      subject,
      type,
      to: subject,
      account: relays,
    })),
    revocations: Object.fromEntries(ended.map((user) => [user, FOR_GOOD])),
  };
  return nats.encodeAccount('HOMES', account, paper, { signer: keyOf(nats, operator) });
}

/**
 * A connection that may change the paper of the homes, kept open: a home that asks without end is heard by its neighbours
 * until the nodes know. 2.9 cannot read a paper that crosses from another account, so it is none of the relay's own.
 */
export async function openClerk(
  nats: NatsPackage,
  options: NatsOptions,
  { login }: HomesKeys,
): Promise<NatsConnection> {
  const as = { ...options, login, inboxPrefix: CLERK_INBOX };
  return NatsConnection.open(nats, as, new AbortController().signal);
}

/** Has the nodes end the logins with these public keys, and accept all others. Rejects while no node takes the paper. */
export async function endLogins(
  nats: NatsPackage,
  clerk: NatsConnection,
  keys: HomesKeys,
  users: readonly string[],
): Promise<void> {
  const { account } = keys;
  const paper = await homesPaper(nats, keys, users);
  const answer = await clerk.raw.request(updateOf(account), paper, { timeout: ANSWERS_WITHIN_MS });
  if (!answer.string().includes('"code":200')) {
    throw new RetryError('server-fault', 'A node did not take the paper of the homes.');
  }
}

function keyOf(nats: NatsPackage, seed: string): KeyPair {
  return nats.fromSeed(new TextEncoder().encode(seed));
}
