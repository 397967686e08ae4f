// `latchkey link` beside a plugin that was started with something else than config.json says now.
import { expect, it } from 'vitest';
import { SimulatedHome } from '../app/simulated-home.ts';
import { latchkey, writeConfig } from './terminal.ts';

it('links nobody to a service that config.json no longer names, and says what to do', async () => {
  const home = await SimulatedHome.linked();
  writeConfig(home, {});
  expect((await latchkey(home, 'link')).out).toContain('/authorize?');
  writeConfig(home, {
    partner: {
      authUrl: 'https://auth.partner.example',
      baseUrl: 'https://api.partner.example',
      redirectUri: 'https://home.example/callback',
    },
  });
  const ran = await latchkey(home, 'link');
  expect([ran.status, ran.out]).toEqual([2, '']);
  expect(ran.err).toContain('still runs with the former addresses of the service: restart Homebridge');
});
