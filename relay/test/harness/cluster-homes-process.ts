// Many homes of a cluster in a process of their own, as homes do not share a processor: it tells when each event came.
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { enrolAtBroker } from '../../src/enrol-home.ts';
import type { RelayConfig } from '../../src/relay-config.ts';
import { openHome } from '../support/cluster-home.ts';

export interface HomesWork {
  readonly config: RelayConfig;
  readonly homes: readonly string[];
}

/** `urls`, once all are connected; and for each event when it came, in milliseconds as `performance` counts with its origin. */
export type HomesAnswer = { readonly urls: readonly string[] } | { readonly id: string; readonly at: number };

const AT_A_TIME = 10;

const tell = (answer: HomesAnswer): void => {
  process.send?.(answer);
};

/** Resolves with its address, once it is connected. */
async function connect(config: RelayConfig, name: string): Promise<string> {
  const enrolled = await enrolAtBroker(config, { home: name, generation: 1, withAddress: true });
  const enrolment = readEnrolment(enrolled.line);
  if (enrolment === null) {
    throw new Error('The line cannot be read');
  }
  const handle: Parameters<typeof openHome>[2] = async ({ properties }) => {
    tell({ id: properties['webhook-signature'] ?? '', at: performance.timeOrigin + performance.now() });
    return Promise.resolve();
  };
  const home = await openHome(enrolment, systemClock, handle);
  const connected = Promise.withResolvers<void>();
  const look = (): void => {
    if (home.state.kind === 'connected') {
      connected.resolve();
    }
  };
  home.subscribeState(look);
  look();
  await connected.promise;
  return enrolment.url ?? '';
}

async function connectAll({ config, homes }: HomesWork): Promise<void> {
  const [left, urls]: [string[], string[]] = [[...homes], []];
  const work = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      urls.push(await connect(config, name));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  tell({ urls });
}

process.once('message', (work: HomesWork) => void connectAll(work));
process.once('disconnect', () => process.exit());
