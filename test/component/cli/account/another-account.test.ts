// `latchkey link` with another account than before: the question, and its answer at once or by a later command.
import { expect, it } from 'vitest';
import { systemClock } from '../../../../src/support/clock.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { TWO_HOMES } from '../../../homes/two-homes.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';
import { begin, containing, endedWith, latchkey, type Ran, writeConfig } from '../terminal.ts';

const CALLBACK = 'https://home.example/callback';

/** A home of the resident, who signs in as the neighbour now and types this at the question. */
async function linkedAnew(...typed: readonly string[]): Promise<{ home: SimulatedHome; ran: Ran }> {
  const scenario = { ...TWO_HOMES, clients: [{ redirectUris: [CALLBACK] }] };
  const home = await SimulatedHome.linked({ simulator: { scenario } });
  writeConfig(home, {});
  await home.clock.advance(10_000);
  await home.control('house/configure-authorization', { autoApproveUserId: 'neighbour' });
  const authorizeUrl = /^http\S+(?=\n)/mu.exec((await latchkey(home, 'link')).out)?.[0] ?? '';
  const words = ['link', '--url', await consent(authorizeUrl)];
  return { home, ran: await home.answered(begin(home, words, systemClock, { typed }).ended) };
}

it('latchkey link removes nothing of the former account without an answer, and a later command gives it', async () => {
  const { home, ran } = await linkedAnew();
  expect(ran).toMatchObject(
    endedWith(1, 'This looks like a different account: it does not list Front door, but Cellar.'),
  );
  expect(ran.err).toContain('npx homebridge-latchkey link --confirm keep');
  const { out } = await latchkey(home, 'locks');
  expect([out.includes('Front door'), out.includes('Cellar')]).toEqual([true, false]);
  expect(await home.answered(latchkey(home, 'link', '--confirm', 'keep'))).toMatchObject({
    status: 0,
    out: containing('Linked. Locks: Cellar.'),
  });
  expect(await latchkey(home, 'link', '--confirm', 'undo')).toMatchObject(
    endedWith(1, 'No other account waits to be confirmed.'),
  );
});

it('latchkey link takes the answer at the question', async () => {
  const { ran } = await linkedAnew('undo');
  expect(ran).toMatchObject({ status: 0, out: containing('Disconnected. Nothing was removed') });
});
