// Homes that are connected to a cluster, as the plugin connects them, in a process of their own; one of them may ask without end.
import { setTimeout as sleep } from 'node:timers/promises';
import { type RelayEnrolment, readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { NatsConnection } from '../../../src/nats/nats-connection.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';
import { openHome } from '../support/cluster-home.ts';

/** Lines of homes: answered once all are connected. `ask`: one home's, so often in each second for so long. */
export type CrowdWork =
  | { readonly connect: readonly string[] }
  | { readonly ask: string; readonly perSecond: number; readonly forMs: number };

const AT_A_TIME = 20;
const LOOK_EVERY_MS = 20;
const TICK_MS = 5;
/** In ticks: what it has missed, it does not make up for at once. */
const MOST_AT_ONCE = 4;
const LOGIN_EVERY_MS = 100;

function enrolmentOf(line: string): RelayEnrolment {
  const enrolment = readEnrolment(line);
  if (enrolment === null) {
    throw new Error('The line cannot be read');
  }
  return enrolment;
}

async function connect(line: string): Promise<void> {
  const home = await openHome(enrolmentOf(line), systemClock, async () => Promise.resolve());
  while (home.state.kind !== 'connected') {
    await sleep(LOOK_EVERY_MS);
  }
}

async function connectAll(lines: readonly string[]): Promise<number> {
  for (let from = 0; from < lines.length; from += AT_A_TIME) {
    await Promise.all(lines.slice(from, from + AT_A_TIME).map(connect));
  }
  return lines.length;
}

/** As whoever has the line of a home could, also when the node ends its connection. Resolves with how often it asked in a second. */
async function askOnAndOn(line: string, perSecond: number, forMs: number): Promise<number> {
  const { broker, username, password: seed, jwt = '', ca } = enrolmentOf(line);
  const address = readClusterAddress(broker);
  if (address === null) {
    throw new Error('The home is not at a cluster');
  }
  const { ask, inbox } = seatSubjects(username);
  const options = { address, ca: ca ?? null, login: { jwt, seed }, inboxPrefix: inbox, pingEveryMs: 15_000 };
  const nats = await loadNats();
  const open = async (): Promise<NatsConnection | null> =>
    NatsConnection.open(nats, options, new AbortController().signal).catch(() => null);
  let connection = await open();
  const from = performance.now();
  let count = 0;
  for (let now = 0; now < forMs; now = performance.now() - from) {
    if (connection === null || connection.raw.isClosed()) {
      await sleep(LOGIN_EVERY_MS);
      connection = await open();
    }
    const wanted = Math.min((now * perSecond) / 1_000, count + (TICK_MS * MOST_AT_ONCE * perSecond) / 1_000);
    for (; count < wanted && connection?.raw.isClosed() === false; count += 1) {
      connection.raw.publish(ask, '', { reply: `${inbox}.asks` });
    }
    await sleep(TICK_MS);
  }
  const tookMs = performance.now() - from;
  await connection?.close();
  return Math.round((count / tookMs) * 1_000);
}

process.on('message', (work: CrowdWork) => {
  const done =
    'connect' in work ? connectAll(work.connect) : askOnAndOn(work.ask, work.perSecond, work.forMs);
  void done.then((answer) => process.send?.(answer));
});
