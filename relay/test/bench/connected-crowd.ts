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

/** As whoever has the line of a home could. Resolves with how often it asked in a second. */
async function askOnAndOn(line: string, perSecond: number, forMs: number): Promise<number> {
  const { broker, username, password: seed, jwt = '', ca } = enrolmentOf(line);
  const address = readClusterAddress(broker);
  if (address === null) {
    throw new Error('The home is not at a cluster');
  }
  const { ask, inbox } = seatSubjects(username);
  const options = { address, ca: ca ?? null, login: { jwt, seed }, inboxPrefix: inbox, pingEveryMs: 15_000 };
  const { raw } = await NatsConnection.open(await loadNats(), options, new AbortController().signal);
  const from = performance.now();
  let count = 0;
  for (let now = 0; now < forMs; now = performance.now() - from) {
    for (; count < (now * perSecond) / 1_000; count += 1) {
      raw.publish(ask, '', { reply: `${inbox}.asks` });
    }
    await sleep(TICK_MS);
  }
  await raw.flush();
  const tookMs = performance.now() - from;
  await raw.close();
  return Math.round((count / tookMs) * 1_000);
}

process.on('message', (work: CrowdWork) => {
  const done =
    'connect' in work ? connectAll(work.connect) : askOnAndOn(work.ask, work.perSecond, work.forMs);
  void done.then((answer) => process.send?.(answer));
});
