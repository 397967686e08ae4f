// The accounts of a cluster: one that keeps the stream, for relays, and one for homes, which reaches two subjects of it.
import type { KeyPair } from '@nats-io/nkeys';
import { z } from 'zod';
import type { NatsLogin } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { ALL_SUBJECTS, type Seat, STREAM, seatName, seatSubjects } from '../../../src/nats/seat.ts';
import { clerkRights, type HomesKeys, homesPaper, SHARED_WITH_HOMES, UNLIMITED } from './homes-account.ts';
import { ALL_REVOKED, REVOKED_STREAM } from './revoked-seats.ts';
import { seatUser } from './seat-login.ts';

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
  /** To end logins of homes. Left out by version 1.0. */
  papers: z
    .strictObject({
      /** The account with the stream. */
      relays: z.string().regex(/^A[A-Z2-7]{55}$/),
      /** Signs the paper of the homes' account. */
      operator: z.string().regex(/^SO[A-Z2-7]{56}$/),
      login,
    })
    .optional(),
});

export type ClusterKeys = z.output<typeof clusterKeys>;

const STORING = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

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

/** Null: keys of version 1.0, whose relays may neither look, nor change, nor end a login. */
export function wholeKeys({ version, homes, papers }: ClusterKeys): HomesKeys | null {
  return version === undefined || papers === undefined ? null : { ...homes, ...papers };
}

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
  const [papers, system, relays, homes, signer] = [
    nats.createOperator(),
    nats.createAccount(),
    nats.createAccount(),
    nats.createAccount(),
    nats.createAccount(),
  ];
  const [relay, clerk] = [nats.createUser(), nats.createUser()];
  const by = { signer: operator };
  const system_account = system.getPublicKey();
  const issuer_account = relays.getPublicKey();
  const ofHomes = { account: homes.getPublicKey(), seed: seedOf(signer) };
  const ofPapers = { relays: issuer_account, operator: seedOf(papers) };
  const ofRelays = { limits: { ...UNLIMITED, ...STORING }, exports: [...SHARED_WITH_HOMES] };
  const accounts = {
    [system_account]: await nats.encodeAccount('SYS', system, { limits: UNLIMITED }, by),
    [issuer_account]: await nats.encodeAccount('RELAYS', relays, ofRelays, by),
    [ofHomes.account]: await homesPaper(nats, { ...ofHomes, ...ofPapers }),
  };
  const asClerk = { ...clerkRights(ofHomes.account), issuer_account: system_account };
  return {
    keys: {
      version: 2,
      relay: {
        jwt: await nats.encodeUser('relay', relay, relays, { ...RELAY_RIGHTS, issuer_account }),
        seed: seedOf(relay),
      },
      homes: ofHomes,
      papers: {
        ...ofPapers,
        login: { jwt: await nats.encodeUser('papers', clerk, system, asClerk), seed: seedOf(clerk) },
      },
    },
    logins: {
      stream: await creds(nats, 'stream', relays),
      system: await creds(nats, 'system', system),
    },
    accounts: [
      `operator: ${await nats.encodeOperator('latchkey', operator, { system_account, signing_keys: [papers.getPublicKey()] })}`,
      `system_account: ${system_account}`,
      'resolver_preload: {',
      ...Object.entries(accounts).map(([account, paper]) => `  ${account}: ${paper}`),
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

/** The rights follow from the name: the key can sign nothing else. No node needs an update. */
export async function signSeat(nats: NatsPackage, { homes }: ClusterKeys, seat: Seat): Promise<NatsLogin> {
  const user = seatUser(nats, seat, homes.seed);
  const signer = nats.fromSeed(new TextEncoder().encode(homes.seed));
  const jwt = await nats.encodeUser(
    seatName(seat, homes.seed),
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
