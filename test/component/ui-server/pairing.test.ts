// Whether a bridge is in the Home app, by the file that Homebridge keeps of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pairingOf } from '../../../src/installation/pairing.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CHILD = { _bridge: { username: '0e:11:22:33:44:55' } };
const WHOLE = { bridge: { username: '0E:AA:BB:CC:DD:EE' } };

function kept(name: string, content: string): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'persist'));
  writeFileSync(join(folder, 'persist', `AccessoryInfo.${name}.json`), content);
  return folder;
}

it.each([
  ['paired, with a client', '{"pairedClients":{"A1":"key"}}', 'paired'],
  ['not paired, with none', '{"pairedClients":{}}', 'unpaired'],
  ['not known, where the file says nothing of clients', '{}', 'unknown'],
  ['not known, where the file cannot be read', '{"pairedCl', 'unknown'],
])('a child bridge is %s', (_, content, pairing) => {
  expect(pairingOf(kept('0E1122334455', content), WHOLE, CHILD)).toBe(pairing);
});

it('a block without a child bridge is on the main bridge', () => {
  const folder = kept('0EAABBCCDDEE', '{"pairedClients":{"A1":"key"}}');
  expect(pairingOf(folder, WHOLE, {})).toBe('paired');
  expect(pairingOf(folder, WHOLE, CHILD)).toBe('unknown');
});

it('a bridge whose name is no address is not looked for on the disk', () => {
  const folder = kept('..', '{"pairedClients":{"A1":"key"}}');
  expect(pairingOf(folder, { bridge: { username: '../persist/AccessoryInfo...' } }, {})).toBe('unknown');
  expect(pairingOf(folder, {}, {})).toBe('unknown');
});
