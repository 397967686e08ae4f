// The world outside of a house, in a network of its own: the service, a broker and a relay, which may have a cluster
// instead. See outside.ts.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { enrolAtBroker } from '../../relay/src/enrol-home.ts';
import { runRelay } from '../../relay/src/relay.ts';
import { readRelayConfig } from '../../relay/src/relay-config.ts';
import { startNats } from '../../relay/test/harness/nats-cluster.ts';
import { startSimulator } from '../../simulator/src/partner-server.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { partnerOptions } from '../stand-ins/service/simulated.ts';
import { freePort } from './free-port.ts';
import { startMosquitto } from './mosquitto.ts';
import { openGate } from './outside.ts';

const [folder = '', relayBroker = ''] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const simulator = await startSimulator({
  authorization: { autoApproveUserId: 'resident' },
  webhooks: { allowHttpToLoopback: true },
});
const broker = await startMosquitto({ folder: join(folder, 'broker') });
const cluster = relayBroker === 'cluster' ? await startNats({ folder: join(folder, 'cluster') }) : null;
const port = await freePort();
const configFile = join(folder, 'relay.json');
writeFileSync(
  configFile,
  JSON.stringify({
    publicUrl: `http://127.0.0.1:${String(port)}`,
    port,
    statusPort: 0,
    secrets: ['the secret of all relays behind one balancer'],
    broker: cluster === null ? { url: broker.url.href } : { url: cluster.url, keysFile: cluster.keysFile },
  }),
);
const config = readRelayConfig(configFile);
const stopping = new AbortController();
const opened = Promise.withResolvers<void>();
const relay = runRelay({
  config,
  clock: systemClock,
  log: silentLog,
  random: Math.random,
  stopped: stopping.signal,
  onOpen: () => {
    opened.resolve();
  },
});
await Promise.race([opened.promise, relay]);
const ports = [
  Number(new URL(simulator.url).port),
  broker.port,
  port,
  ...(cluster?.nodes ?? []).map((node) => node.port),
];
for (const each of ports) {
  await openGate(join(folder, `${String(each)}.sock`), { host: '127.0.0.1', port: each });
}
const { line } = await enrolAtBroker(config, { home: 'blue', generation: 1, withAddress: true });
say({
  partner: partnerOptions(simulator),
  controlUrl: simulator.controlUrl,
  broker: broker.url.href,
  enrolment: line,
  ports,
});

// Each line names a port of the house to knock at, or kills a node; the end of the input ends everything.
for await (const wanted of createInterface({ input: process.stdin })) {
  if (wanted === 'kill') {
    const leader = await cluster?.leader();
    await cluster?.nodes.find(({ name }) => name !== leader)?.kill();
    say({ isOpen: false });
    continue;
  }
  const socket = connect(Number(wanted), '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  say({ isOpen });
}
stopping.abort();
await relay;
await Promise.all([broker.stop(), cluster?.close(), simulator.close()]);
process.exit(0);

function say(words: object): void {
  process.stdout.write(`${JSON.stringify(words)}\n`);
}
