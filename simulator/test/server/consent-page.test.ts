// The consent page as a person and a hostile client see it.
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Answer, call, Fixture, locationOf } from './partner.ts';

const stateSchema = z.object({
  users: z.array(z.object({ userId: z.string(), linkedClients: z.array(z.string()) })),
});

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.start({ authorization: { autoApproveUserId: null } });
  return async () => fixture.close();
});

const ticketOf = (page: Answer): string =>
  /name="ticket" value="(?<ticket>[^"]+)"/u.exec(page.text)?.groups?.['ticket'] ?? '';

async function answerPage(fields: Record<string, string>): Promise<Answer> {
  return call(`${fixture.simulator.authUrl}/OAuth2/consent`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

describe('wire contract 1, consent', () => {
  test('the page says who asks, in whose name, and for which locks', async () => {
    const page = await fixture.authorize();
    expect(page.status).toBe(200);
    expect(page.text).toContain(`Allow ${fixture.client().name} to use your locks?`);
    expect(page.text).toContain('Front door (owner), Back door (owner), Garage (owner)');
    expect(page.text).toContain('Front door (guest)');
  });

  test('a user with very many locks sees a dozen of them named', async () => {
    const locks = Array.from({ length: 15 }, (_, index) => ({
      name: `Door ${String(index + 1)}`,
      type: 'WifiLever' as const,
      roles: { resident: 'owner' },
    }));
    const estate = await Fixture.start({ authorization: { autoApproveUserId: null }, scenario: { locks } });
    onTestFinished(() => estate.close());
    expect((await estate.authorize()).text).toMatch(/Door 11 \(owner\), Door 12 \(owner\), 3 more</u);
  });

  test('allowing redirects with a code for the chosen user', async () => {
    const ticket = ticketOf(await fixture.authorize());
    const answer = await answerPage({ ticket, answer: 'allow', user: 'guest-of-house' });
    expect(answer.status).toBe(302);
    const code = locationOf(answer).searchParams.get('code');
    expect((await fixture.exchange({ code })).status).toBe(200);
    const { users } = stateSchema.parse((await call(`${fixture.simulator.controlUrl}/state`)).json);
    expect(users.map(({ userId, linkedClients }) => [userId, linkedClients])).toEqual([
      ['resident', []],
      ['guest-of-house', [fixture.client().clientId]],
    ]);
  });

  test('denying redirects with access_denied and the state', async () => {
    const ticket = ticketOf(await fixture.authorize());
    const { searchParams } = locationOf(await answerPage({ ticket, answer: 'deny', user: 'resident' }));
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'access_denied', state: 'xyz' });
  });

  test('a question is answered once, by a known user, within ten minutes', async () => {
    const ticket = ticketOf(await fixture.authorize());
    expect((await answerPage({ ticket, answer: 'allow', user: 'stranger' })).status).toBe(400);
    expect((await answerPage({ ticket, answer: 'allow', user: 'resident' })).status).toBe(302);
    expect((await answerPage({ ticket, answer: 'allow', user: 'resident' })).status).toBe(400);
    expect((await answerPage({ ticket: 'made-up', answer: 'allow', user: 'resident' })).status).toBe(400);
    const late = ticketOf(await fixture.authorize());
    await fixture.clock.advance(600_000);
    expect((await answerPage({ ticket: late, answer: 'allow', user: 'resident' })).status).toBe(400);
  });

  test('a form posted from a page of another origin is refused', async () => {
    const ticket = ticketOf(await fixture.authorize());
    const answer = await call(`${fixture.simulator.authUrl}/OAuth2/consent`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' },
      body: new URLSearchParams({ ticket, answer: 'allow', user: 'resident' }).toString(),
    });
    expect(answer.status).toBe(403);
  });

  test('the policy allows the one style by its hash, no script, and the form to reach the redirect address', async () => {
    const page = await fixture.authorize();
    const style = /<style>(?<style>[^<]*)<\/style>/u.exec(page.text)?.groups?.['style'] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self' http://127.0.0.1:8765; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(page.text).not.toContain('<script');
  });

  test('names are shown as text, never as markup', async () => {
    const hostile = await Fixture.start({
      authorization: { autoApproveUserId: null },
      scenario: {
        clients: [{ name: '<script>alert("&")</script>' }],
        users: [{ userId: '"><b>', friendlyName: "<i>o'hare</i>", email: 'o@home.example' }],
      },
    });
    onTestFinished(() => hostile.close());
    const { text } = await hostile.authorize();
    expect(text).toContain('&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;');
    expect(text).toContain('&lt;i&gt;o&#39;hare&lt;/i&gt;');
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(text).not.toMatch(/<script|<i>|<b>/u);
  });
});
