// The small server on the redirect URI, over real sockets, when opening and closing it meet.
import { expect, it, onTestFinished } from 'vitest';
import { linkCallback } from '../../../src/linking/link-callback.ts';
import { LocalCallback } from '../../../src/linking/local-callback.ts';
import { silentLog } from '../../../src/support/log.ts';
import { freePort } from '../../harness/free-port.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** The server at a redirect URI with this path, and the addresses that it handed over. */
async function fixture(path = '/callback') {
  const redirectUri = `http://127.0.0.1:${String(await freePort())}${path}`;
  const clock = new ManualClock();
  const finished: string[] = [];
  const callback = linkCallback(redirectUri, async (redirectedUrl) => {
    finished.push(redirectedUrl);
  });
  const local = new LocalCallback({ callback, clock, log: silentLog });
  onTestFinished(async () => local.close());
  const visit = async (query = '') => fetch(redirectUri + query, { redirect: 'manual' });
  const isServed = async (): Promise<boolean> =>
    visit().then(
      () => true,
      () => false,
    );
  return { redirectUri, clock, local, finished, visit, isServed };
}

it.each(['/c%61llback', '/call%20back', '/call*back', '/call:back'])(
  'the callback is served at %s as it is registered, escapes and stars included',
  async (path) => {
    const { redirectUri, local, finished, visit } = await fixture(path);
    await local.open();
    const { status } = await visit('?code=c-1&state=s-1');
    // Closing waits for the page that the browser was sent to.
    await visit('?outcome=linked');
    expect([status, finished]).toEqual([303, [`${redirectUri}?code=c-1&state=s-1`]]);
  },
);

it('the callback is shared by two linkings that begin at once, and closes with the process', async () => {
  const { clock, local, isServed } = await fixture();
  expect(await Promise.all([local.open(), local.open()])).toEqual([true, true]);
  await local.close();
  expect([await isServed(), clock.pendingTimers]).toEqual([false, 0]);
});

it('the callback leaves nothing open when the process ends while it opens', async () => {
  const { clock, local, isServed } = await fixture();
  const opening = local.open();
  await local.close();
  expect(await opening).toBe(false);
  expect([await isServed(), clock.pendingTimers]).toEqual([false, 0]);
});
