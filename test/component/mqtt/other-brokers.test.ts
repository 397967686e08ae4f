// Brokers that cannot serve the plugin say so in words: one that speaks MQTT 3.1.1 alone, as nats-server does.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasNats, NATS_PROGRAM } from '../../../relay/test/harness/nats-cluster.ts';
import { freePort } from '../../harness/free-port.ts';
import { inWords } from '../../support/in-words.ts';
import { carrierAt } from '../../support/mqtt-carrier.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe.skipIf(!hasNats)('a broker that speaks MQTT 3.1.1 alone', () => {
  it('is refused in words, and asked again seldom', async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const file = join(folder, 'broker.conf');
    writeFileSync(
      file,
      [
        'server_name: broker',
        `listen: 127.0.0.1:${String(await freePort())}`,
        `jetstream { store_dir: "${folder}" }`,
        `mqtt { listen: "127.0.0.1:${String(port)}" }`,
      ].join('\n'),
    );
    const broker = spawn(NATS_PROGRAM ?? '', ['-c', file], { stdio: 'ignore' });
    onTestFinished(() => {
      broker.kill();
    });
    const carrier = carrierAt(new URL(`mqtt://127.0.0.1:${String(port)}`));
    await expect
      .poll(() => inWords(carrier.state))
      .toMatchObject({
        kind: 'waiting',
        reason: 'The broker does not speak MQTT 5. Update the broker, or use another one.',
        retryInMs: 60_000,
      });
  });
});
