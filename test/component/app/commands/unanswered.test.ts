// A reading of the locks without an answer of the service: the caller gets the reason, and never a success.
import { expect, it } from 'vitest';
import { platformBlock, SimulatedHome } from '../../../homes/simulated-home.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';
import { inWords } from '../../../support/in-words.ts';
import { latchkey, writeConfig } from '../../cli/terminal.ts';

const WRONG_KEYS = { partner: { subscriptionKeys: ['0123456789abcdef0123456789abcdef'] } };
const REASON = /^The service accepts none of the subscription keys/u;

async function callbackMode(home: SimulatedHome): Promise<string> {
  const { authorizeUrl } = await home.app.operations['link.start']({});
  return consent(authorizeUrl);
}

it('a reading with a wrong subscription key says that the link is made, and why there are no locks', async () => {
  const home = await SimulatedHome.open({ options: WRONG_KEYS });
  const { operations } = home.app;
  const finished = await operations['link.finish']({ redirectedUrl: await callbackMode(home) });
  expect(inWords(finished)).toEqual({
    link: 'linked',
    accountChange: null,
    unanswered: expect.stringMatching(REASON) as string,
  });
  const refused = { code: 'bad-configuration', message: expect.stringMatching(REASON) as string };
  await expect(home.answered(operations.refresh({}))).rejects.toMatchObject(refused);
  expect(inWords(await operations.status({}))).toMatchObject({
    link: 'linked',
    failing: { forMs: expect.any(Number) as number, message: refused.message },
    lastListedAgoMs: null,
  });
});

it('a reading with a wrong subscription key ends a command line with the same reason', async () => {
  const home = await SimulatedHome.open({ options: WRONG_KEYS });
  writeConfig(home, { partner: { ...platformBlock(home.simulator).partner, ...WRONG_KEYS.partner } });
  const linked = await home.answered(latchkey(home, 'link', '--url', await callbackMode(home)));
  expect(linked.out).toBe('Linked. No locks are listed yet.\n');
  expect(linked.err).toMatch(REASON);
  expect(linked.status).toBe(2);
  const listed = await home.answered(latchkey(home, 'locks'));
  expect(listed.err).toContain(
    'so this may be out of date: The service accepts none of the subscription keys',
  );
  expect(listed.status).toBe(4);
});
