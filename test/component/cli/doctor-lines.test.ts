// What the doctor prints as lines for people: whole sentences, and the remedy that helps.
import { expect, it } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { platformBlock, SimulatedHome } from '../app/simulated-home.ts';
import { latchkey, writeConfig } from './terminal.ts';

it('puts a full stop between what is wrong with an option and what to do', async () => {
  const home = await SimulatedHome.open();
  writeConfig(home, { polling: { idleSeconds: 'fast' } });
  expect((await latchkey(home, 'doctor')).out).toMatch(
    /; correct it or take it out\. Do so in config\.json/u,
  );
  writeConfig(home, { colour: 'red' });
  expect((await latchkey(home, 'doctor')).out).toMatch(/colour.*[a-z]\. The plugin runs nevertheless\.\n/u);
});

it('sends nobody to link again who has only mistyped an address of the service', async () => {
  const home = await SimulatedHome.linked();
  await home.app.dispose();
  const { partner } = platformBlock(home.simulator);
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
  writeConfig(home, { partner: { ...partner, baseUrl } });
  expect((await latchkey(home, 'doctor')).out).toMatch(
    /FAULT {2}link {18}config\.json names another lock service .* Compare partner\.authUrl and partner\.baseUrl/u,
  );
});

it('tells of a link that is set aside also where the credentials are, too', async () => {
  const home = await SimulatedHome.linked();
  await home.app.dispose();
  const { partner } = platformBlock(home.simulator);
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
  writeConfig(home, { partner: { ...partner, baseUrl, clientSecret: undefined } });
  const { out } = await latchkey(home, 'doctor');
  expect(out).toContain('Missing: partner.clientSecret.');
  expect(out).toContain('config.json names another lock service');
});
