// The steps for a reviewer without an account: the block to copy leads to the simulator that they start.
import { beforeEach, expect, test } from 'vitest';
import { projectText } from '../../test/support/document-block.ts';
import { type Simulator, startSimulator } from '../src/partner-server.ts';

const DOCUMENT = 'docs/develop/store-review.md';
/** As `simulate --port` of the steps has it. */
const PORT = '18590';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator();
  return async () => simulator.close();
});

test('the addresses of the block are those of the simulator, and it knows the redirect URI', () => {
  const text = projectText(DOCUMENT);
  expect(text).toContain(`npx homebridge-latchkey simulate --port ${PORT}`);
  const [, json = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
  const { partner } = JSON.parse(json) as { readonly partner: Readonly<Record<string, unknown>> };
  const { authUrl, baseUrl, clients } = simulator;
  const [auth, base] = [authUrl, baseUrl].map((address) => address.replace(/:\d+/, `:${PORT}`));
  expect(partner).toMatchObject({ authUrl: auth, baseUrl: base, allowInsecureLoopback: true });
  expect(clients[0]?.redirectUris).toContain(partner['redirectUri']);
});
