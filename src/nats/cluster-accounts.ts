// The accounts of a cluster: one that keeps the stream, for relays, and one for homes, which reaches two subjects of it.
import type { Account, Export } from '@nats-io/jwt';
import type { KeyPair } from '@nats-io/nkeys';
import { z } from 'zod';
import type { NatsLogin } from './nats-connection.ts';
import type { NatsPackage } from './nats-package.ts';
import { ALL_REVOKED, REVOKED_STREAM } from './revoked-seats.ts';
import { ALL_SUBJECTS, STREAM, seatSubjects } from './seat.ts';

const login = z.strictObject({ jwt: z.string().min(1), seed: z.string().regex(/^SU[A-Z2-7]{56}$/) });

/** The keys of a relay: its own login, and the key that signs homes. Holds secrets. */
export const clusterKeys = z.strictObject({
  /** Left out by version 1.0, whose relays had fewer rights and whose seats had random names. */
  version: z.literal(2).optional(),
  relay: login,
  homes: z.strictObject({
    account: z.string().regex(/^A[A-Z2-7]{55}$/),
    seed: z.string().regex(/^SA[A-Z2-7]{56}$/),
  }),
});

export type ClusterKeys = z.output<typeof clusterKeys>;

/** Bytes of the largest event with its headers: 64 kB, encrypted and as base64url. */
const LARGEST_PAYLOAD = 131_072;
const HOME_SUBSCRIPTIONS = 4;

const UNLIMITED = {
  subs: -1,
  data: -1,
  payload: -1,
  imports: -1,
  exports: -1,
  wildcards: true,
  conn: -1,
  leaf: 0,
};
const STORING = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

const OF_A_SEAT = seatSubjects('{{name()}}');

/**
 * What homes reach of the account with the stream. Answers pass from one account to the other: in one account, a home could
 * have the broker answer to a subject that deletes the stream, because no right covers the subject of an answer.
 */
const SHARED: readonly Export[] = [
  { name: 'next', subject: seatSubjects('*').next, type: 'service', response_type: 'Stream' },
  { name: 'acknowledge', subject: seatSubjects('>').acknowledge, type: 'service' },
  { name: 'ask', subject: seatSubjects('*').ask, type: 'service' },
];

const OF_RELAYS: Partial<Account> = {
  limits: { ...UNLIMITED, ...STORING },
  exports: [...SHARED],
};

const RELAY_RIGHTS = {
  pub: {
    allow: [
      ALL_SUBJECTS,
      ALL_REVOKED,
      `$JS.API.STREAM.INFO.${STREAM}`,
      `$JS.API.STREAM.CREATE.${STREAM}`,
      `$JS.API.STREAM.UPDATE.${STREAM}`,
      `$JS.API.STREAM.MSG.GET.${STREAM}`,
      `$JS.API.STREAM.INFO.${REVOKED_STREAM}`,
      `$JS.API.STREAM.CREATE.${REVOKED_STREAM}`,
      `$JS.API.CONSUMER.LIST.${STREAM}`,
      `$JS.API.CONSUMER.INFO.${STREAM}.*`,
      `$JS.API.CONSUMER.CREATE.${STREAM}.>`,
      `$JS.API.CONSUMER.DELETE.${STREAM}.*`,
    ],
    deny: [],
  },
  sub: {
    allow: [
      seatSubjects('*').ask,
      '_INBOX.relay.>',
      ALL_REVOKED,
      `$JS.EVENT.ADVISORY.CONSUMER.DELETED.${STREAM}.*`,
    ],
    deny: [],
  },
  // To homes that ask.
  resp: { max: 1, ttl: 10_000_000_000 },
};

export interface Cluster {
  readonly keys: ClusterKeys;
  /** To include in the configuration of each node. Holds no secret. */
  readonly accounts: string;
  /** Logins of the operator, as the tool `nats` takes them: for the stream of all homes, and for the nodes themselves. */
  readonly logins: { readonly stream: string; readonly system: string };
}

/** Makes a cluster of its own; only these keys can sign for it later. */
export async function makeCluster(nats: NatsPackage): Promise<Cluster> {
  const operator = nats.createOperator();
  const [system, relays, homes, signer] = [
    nats.createAccount(),
    nats.createAccount(),
    nats.createAccount(),
    nats.createAccount(),
  ];
  const relay = nats.createUser();
  const by = { signer: operator };
  const system_account = system.getPublicKey();
  const papers = {
    [system_account]: await nats.encodeAccount('SYS', system, { limits: UNLIMITED }, by),
    [relays.getPublicKey()]: await nats.encodeAccount('RELAYS', relays, OF_RELAYS, by),
    [homes.getPublicKey()]: await nats.encodeAccount('HOMES', homes, ofHomes(nats, signer, relays), by),
  };
  const rights = { ...RELAY_RIGHTS, issuer_account: relays.getPublicKey() };
  return {
    keys: {
      version: 2,
      relay: { jwt: await nats.encodeUser('relay', relay, relays, rights), seed: seedOf(relay) },
      homes: { account: homes.getPublicKey(), seed: seedOf(signer) },
    },
    logins: {
      stream: await creds(nats, 'stream', relays),
      system: await creds(nats, 'system', system),
    },
    accounts: [
      `operator: ${await nats.encodeOperator('latchkey', operator, { system_account })}`,
      `system_account: ${system_account}`,
      'resolver: MEMORY',
      'resolver_preload: {',
      ...Object.entries(papers).map(([account, paper]) => `  ${account}: ${paper}`),
      '}',
      '',
    ].join('\n'),
  };
}

/** A login with every right in that account. */
async function creds(nats: NatsPackage, name: string, account: KeyPair): Promise<string> {
  const user = nats.createUser();
  const jwt = await nats.encodeUser(name, user, account, { issuer_account: account.getPublicKey() });
  return new TextDecoder().decode(nats.fmtCreds(jwt, user));
}

/** A holder of `signer` cannot give more than the rights of a seat. */
function ofHomes(nats: NatsPackage, signer: KeyPair, relays: KeyPair): Partial<Account> {
  const scope = nats.newScopedSigner(signer, 'home', {
    pub: { allow: [OF_A_SEAT.next, `${OF_A_SEAT.acknowledge}.>`, OF_A_SEAT.ask], deny: [] },
    sub: { allow: [`${OF_A_SEAT.inbox}.>`], deny: [] },
    subs: HOME_SUBSCRIPTIONS,
    data: -1,
    payload: LARGEST_PAYLOAD,
  });
  const account = relays.getPublicKey();
  const imports = SHARED.map(({ name, subject, type }) => ({ name, subject, type, to: subject, account }));
  return { limits: UNLIMITED, signing_keys: [scope], imports };
}

/** The rights follow from the name: the key can sign nothing else. No node needs an update. */
export async function signSeat(nats: NatsPackage, { homes }: ClusterKeys, seat: string): Promise<NatsLogin> {
  const user = nats.createUser();
  const signer = nats.fromSeed(new TextEncoder().encode(homes.seed));
  const jwt = await nats.encodeUser(
    seat,
    user,
    signer,
    { issuer_account: homes.account },
    { scopedUser: true },
  );
  return { jwt, seed: seedOf(user) };
}

function seedOf(pair: KeyPair): string {
  return new TextDecoder().decode(pair.getSeed());
}
