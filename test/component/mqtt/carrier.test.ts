// The carrier with a real broker: acknowledgements, repeated deliveries, and lost connections.
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Carrier, CarrierState, IncomingMessage, Subscription } from '../../../src/carrier/carrier.ts';
import { type Clock, systemClock } from '../../../src/support/clock.ts';
import { t } from '../../../src/words/translate.ts';
import { BrokerClient } from '../../harness/broker-client.ts';
import { hasMosquitto, type Mosquitto, startMosquitto } from '../../harness/mosquitto.ts';
import { openWebBroker, type WebBroker } from '../../harness/web-broker.ts';
import { carrierAt, hasty, mqtt } from '../../support/mqtt-carrier.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SELF_SIGNED } from '../cloud/self-signed.ts';

async function broker(lines: readonly string[] = [], closed = false): Promise<Mosquitto> {
  const started = await startMosquitto({ folder: join(temporaryFolder(), 'broker'), lines, closed });
  onTestFinished(async () => started.stop());
  return started;
}

async function another(url: URL, ...filters: readonly string[]): Promise<BrokerClient> {
  const client = await BrokerClient.connect(url, ...filters);
  onTestFinished(() => {
    client.close();
  });
  return client;
}

/** Resolves at the next state of that kind, or at once when it is the present one. */
async function reaches(opened: Carrier, kind: CarrierState['kind']): Promise<CarrierState> {
  const reached = Promise.withResolvers<CarrierState>();
  const look = (state: CarrierState): void => {
    if (state.kind === kind) {
      reached.resolve(state);
    }
  };
  const end = opened.subscribeState(look);
  look(opened.state);
  return reached.promise.finally(end);
}

async function connected(...of: Parameters<typeof carrierAt>): Promise<Carrier> {
  const opened = carrierAt(...of);
  await reaches(opened, 'connected');
  return opened;
}

/** Sends beside a receiver of the usual client id. */
async function relay(url: URL): Promise<Carrier> {
  return connected(url, { session: { clientId: 'relay', expirySeconds: 0, receiveAtMost: 1 } });
}

/** A broker with a certificate that no public authority vouches for. */
async function tlsBroker(...more: readonly string[]): Promise<Mosquitto> {
  const folder = temporaryFolder();
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(certFile, SELF_SIGNED.cert);
  writeFileSync(keyFile, SELF_SIGNED.key);
  const lines = [`certfile ${certFile}`, `keyfile ${keyFile}`, `cafile ${certFile}`, ...more];
  const running = await startMosquitto({ folder: join(folder, 'broker'), lines, scheme: 'mqtts' });
  onTestFinished(async () => running.stop());
  return running;
}

/** The pauses before each further attempt from now on, in milliseconds. */
function pausesOf(opened: Carrier): readonly number[] {
  const pauses: number[] = [];
  opened.subscribeState((state) => {
    pauses.push(...(state.kind === 'waiting' ? [state.retryInMs] : []));
  });
  return pauses;
}

const reasonOf = (state: CarrierState): string => (state.kind === 'waiting' ? t(state.reason) : '');

const text = ({ payload }: IncomingMessage): string => Buffer.from(payload).toString('utf8');

/** Collects messages, and decides about each. */
function receiver(filter: string, decide: (message: IncomingMessage) => Promise<void> = async () => {}) {
  const seen: IncomingMessage[] = [];
  const subscription: Subscription = {
    filter,
    wantsRetained: true,
    handle: async (message) => {
      seen.push(message);
      await decide(message);
    },
  };
  const has = async (count: number): Promise<readonly IncomingMessage[]> => {
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(count);
    return seen;
  };
  return { subscription, seen, has };
}

/** Waits for messages that pass through other connections between the calls. */
const lasting = { clientId: 'house', expirySeconds: 3_600, receiveAtMost: 10 };

describe.runIf(hasMosquitto)('publishing', () => {
  it('is acknowledged by the broker, with properties beside the payload', async () => {
    const { url } = await broker();
    const home = receiver('home/#');
    await connected(url, { subscriptions: [home.subscription] });
    const sender = await relay(url);
    const receipt = await sender.publish({
      topic: 'home/a',
      payload: new Uint8Array([0, 255]),
      properties: { signature: 'abc' },
      expirySeconds: 60,
    });
    expect(receipt).toEqual({ hasSubscriber: true });
    const [message] = await home.has(1);
    expect(message).toMatchObject({ topic: 'home/a', retained: false, properties: { signature: 'abc' } });
    expect([...(message?.payload ?? [])]).toEqual([0, 255]);
    expect(await sender.publish({ topic: 'elsewhere', payload: 'x' })).toEqual({ hasSubscriber: false });
  });

  it('keeps to the number of messages that the broker allows at once, and their order', async () => {
    const { url } = await broker(['max_inflight_messages 3']);
    const home = receiver('n');
    await connected(url, { subscriptions: [home.subscription] });
    const sender = await relay(url);
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => sender.publish({ topic: 'n', payload: String(index) })),
    );
    const seen = await home.has(200);
    expect(seen.map(text)).toEqual(Array.from({ length: 200 }, (_, index) => String(index)));
    expect(sender.state.kind).toBe('connected');
  });

  it('does not wait for the network to confirm the message before', async () => {
    const { url } = await broker();
    const asked: unknown[] = [];
    const connect: typeof mqtt.default.connect = (options) => {
      const client = mqtt.default.connect(options);
      if (client.stream instanceof Socket) {
        vi.spyOn(client.stream, 'setNoDelay').mockImplementation((on) => {
          asked.push(on);
          return client.stream as Socket;
        });
      }
      return client;
    };
    await connected(url, {}, { mqtt: { default: { connect } } });
    expect(asked).toEqual([true]);
  });

  it('is refused at once without a connection, and nothing is sent later (faults#103)', async () => {
    const running = await broker();
    const sender = await connected(running.url);
    await running.kill();
    await reaches(sender, 'waiting');
    await expect(sender.publish({ topic: 'n', payload: 'stale' })).rejects.toMatchObject({
      disposition: 'retry',
      code: 'unreachable',
    });
    await running.start();
    const other = await another(running.url, '#');
    await reaches(sender, 'connected');
    await sender.publish({ topic: 'n', payload: 'fresh' });
    expect((await other.until(({ topic }) => topic === 'n')).text).toBe('fresh');
  });

  it('that was sent when the broker died is uncertain, and what waited for its turn was not sent', async () => {
    const running = await broker(['max_inflight_messages 3']);
    const sender = await connected(running.url);
    // It takes what is sent, and answers nothing any more.
    process.kill(running.pid() ?? 0, 'SIGSTOP');
    const sent = Array.from({ length: 5 }, async (_, index) =>
      sender.publish({ topic: 'n', payload: String(index) }).then(
        () => 'acknowledged',
        (error: unknown) => (error instanceof Error ? error.name : ''),
      ),
    );
    const [ends] = await Promise.all([Promise.all(sent), running.kill()]);
    const uncertain = 'UncertainError';
    expect(ends).toEqual([uncertain, uncertain, uncertain, 'RetryError', 'RetryError']);
  });

  it('that the broker never acknowledges is uncertain in the end', async () => {
    const running = await broker();
    let pace = systemClock;
    const clock: Clock = { ...systemClock, after: (delayMs, callback) => pace.after(delayMs, callback) };
    const sender = await connected(running.url, {}, { clock });
    process.kill(running.pid() ?? 0, 'SIGSTOP');
    pace = hasty;
    await expect(sender.publish({ topic: 'n', payload: 'x' })).rejects.toMatchObject({
      disposition: 'uncertain',
    });
    await running.kill();
  });

  it.each([
    ['a wildcard in the topic', { topic: 'a/#', payload: '' }],
    ['more bytes than the broker takes', { topic: 'a', payload: 'x'.repeat(40_000) }],
  ])('refuses %s before the broker ends the connection for it', async (_, message) => {
    const { url } = await broker(['max_packet_size 30000']);
    const sender = await connected(url);
    await expect(sender.publish(message)).rejects.toMatchObject({ disposition: 'final' });
    expect(sender.state.kind).toBe('connected');
  });
});

describe.runIf(hasMosquitto)('a receiving client', () => {
  it('acknowledges a message after its handler has finished, so that an unfinished one comes again', async () => {
    const { url } = await broker();
    const never = receiver('n', async () => new Promise(() => {}));
    const first = await connected(url, { session: lasting, subscriptions: [never.subscription] });
    const sender = await another(url);
    await sender.publish('n', 'one');
    await never.has(1);
    await first.close();
    const second = receiver('n');
    await connected(url, { session: lasting, subscriptions: [second.subscription] });
    const [again] = await second.has(1);
    expect([again?.topic, Buffer.from(again?.payload ?? []).toString()]).toEqual(['n', 'one']);
  });

  it('gets no message again that it has acknowledged', async () => {
    const { url } = await broker();
    const home = receiver('n');
    const first = await connected(url, { session: lasting, subscriptions: [home.subscription] });
    const sender = await another(url);
    await sender.publish('n', 'one');
    await home.has(1);
    await sender.publish('n', 'two');
    await home.has(2);
    await first.close();
    const second = receiver('n');
    expect(
      await reaches(carrierAt(url, { session: lasting, subscriptions: [second.subscription] }), 'connected'),
    ).toEqual({ kind: 'connected', resumed: true });
    await sender.publish('n', 'three');
    await second.has(1);
    expect(second.seen.map(text)).toEqual(['three']);
  });

  it('acknowledges what a handler is at work on when it is closed, and takes no more', async () => {
    const { url } = await broker();
    const [began, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const home = receiver('n', async () => {
      began.resolve();
      await done.promise;
    });
    const first = await connected(url, { session: lasting, subscriptions: [home.subscription] });
    const sender = await another(url);
    await sender.publish('n', 'one');
    await began.promise;
    const closed = first.close();
    await sender.publish('n', 'two');
    done.resolve();
    await closed;
    expect(home.seen.map(text)).toEqual(['one']);
    const second = receiver('n');
    await connected(url, { session: lasting, subscriptions: [second.subscription] });
    await sender.publish('n', 'three');
    await second.has(2);
    expect(second.seen.map(text)).toEqual(['two', 'three']);
  });

  it('renews the connection after a failed handler, and gets the message again', async () => {
    const { url } = await broker();
    let failures = 1;
    const home = receiver('n', async () => {
      failures -= 1;
      if (failures >= 0) {
        throw new Error('The disk is full');
      }
    });
    await connected(url, { session: lasting, subscriptions: [home.subscription] });
    const sender = await another(url);
    await sender.publish('n', 'one');
    const seen = await home.has(2);
    expect(seen.map(text)).toEqual(['one', 'one']);
  });

  it('may publish while it handles a message', async () => {
    const { url } = await broker();
    let opened: Carrier | null = null;
    const home = receiver('question', async () => {
      await opened?.publish({ topic: 'answer', payload: 'yes' });
    });
    const sender = await another(url, 'answer');
    opened = carrierAt(url, { subscriptions: [home.subscription] });
    await reaches(opened, 'connected');
    await sender.publish('question', '?');
    expect((await sender.until(() => true)).text).toBe('yes');
  });

  it('holds no more at once than it asked for; the broker keeps the rest', async () => {
    const { url } = await broker();
    const gate = Promise.withResolvers<void>();
    const home = receiver('n', async () => gate.promise);
    const session = { ...lasting, receiveAtMost: 3 };
    await connected(url, { session, subscriptions: [home.subscription] });
    const sender = await another(url);
    for (let index = 0; index < 20; index += 1) {
      await sender.publish('n', String(index));
    }
    await home.has(3);
    expect(home.seen).toHaveLength(3);
    gate.resolve();
    await home.has(20);
    expect(home.seen.map(text)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
  });

  it('recognizes a message that was published to be retained, at a connection and when it comes live', async () => {
    const { url } = await broker();
    const sender = await another(url);
    await sender.publish('n', 'old', { retain: true });
    const asked = receiver('n');
    const notAsked = receiver('n');
    await connected(url, { subscriptions: [asked.subscription] });
    await connected(url, {
      session: { clientId: 'second', expirySeconds: 0, receiveAtMost: 10 },
      subscriptions: [{ ...notAsked.subscription, wantsRetained: false }],
    });
    await sender.publish('n', 'live', { retain: true });
    await Promise.all([asked.has(2), notAsked.has(1)]);
    expect(asked.seen.map((message) => [text(message), message.retained])).toEqual([
      ['old', true],
      ['live', true],
    ]);
    expect(notAsked.seen.map((message) => [text(message), message.retained])).toEqual([['live', true]]);
  });
});

describe.runIf(hasMosquitto)('the connection', () => {
  it('comes back after the broker was killed, and its will is published only for a lost connection', async () => {
    const running = await broker();
    const will = { topic: 'here', payload: 'offline', retain: true };
    const opened = await connected(running.url, { will });
    const watcher = await another(running.url, 'here');
    await opened.publish({ topic: 'here', payload: 'online', retain: true });
    await watcher.until(({ text: seen }) => seen === 'online');
    await opened.close();
    const second = await connected(running.url, { will });
    expect(watcher.seen.map(({ text: seen }) => seen)).toEqual(['online']);
    await running.kill();
    expect(await reaches(second, 'waiting')).toMatchObject({ kind: 'waiting' });
    await running.start();
    await reaches(second, 'connected');
  });

  it('says what to do when the broker rejects the password, and shows no password', async () => {
    const { url } = await broker([], true);
    const login = { username: 'latchkey', password: 'a very secret word' };
    const state = await reaches(carrierAt(url, { login }), 'waiting');
    expect(reasonOf(state)).toMatch(/does not|rejected/);
    expect(JSON.stringify(state)).not.toContain('secret word');
  });

  it('is refused where no authority vouches for the certificate, and made with the file of that authority', async () => {
    const running = await tlsBroker();
    expect(reasonOf(await reaches(carrierAt(running.url), 'waiting'))).toBe(
      "The broker's certificate is signed by an unknown authority. Give the file of that authority as the CA.",
    );
    const tls = { ca: SELF_SIGNED.cert, client: null };
    await connected(running.url, { tls });
    await reaches(carrierAt(new URL(running.url.href.replace('mqtts:', 'mqtt:'))), 'waiting');
  });

  it('shows its certificate to a broker that asks for one, and says so when there is none', async () => {
    const running = await tlsBroker('require_certificate true', 'use_identity_as_username true');
    const client = { certificate: SELF_SIGNED.cert, key: SELF_SIGNED.key };
    const without = { tls: { ca: SELF_SIGNED.cert, client: null } };
    const refused = await reaches(carrierAt(running.url, without), 'waiting');
    expect(reasonOf(refused)).toBe('The broker asks for a client certificate.');
    await connected(running.url, { tls: { ca: SELF_SIGNED.cert, client } });
  });

  it('ends when the broker sends what MQTT does not allow, instead of hearing nothing more', async () => {
    // mosquitto answers a message over its limit with a reason that no acknowledgement may have.
    const { url } = await broker(['message_size_limit 300']);
    const opened = await connected(url);
    const refused = opened.publish({ topic: 'home/state', payload: 'x'.repeat(400) });
    await expect(refused).rejects.toThrow('The connection ended');
    const waiting = await reaches(opened, 'waiting');
    expect(reasonOf(waiting)).toContain('Invalid puback reason code');
    // It would happen again.
    expect(waiting.kind === 'waiting' ? waiting.retryInMs : 0).toBeGreaterThanOrEqual(30_000);
  });

  it('reports an address where no broker answers', async () => {
    const running = await broker();
    await running.stop();
    const state = await reaches(carrierAt(running.url), 'waiting');
    expect(reasonOf(state)).toBe('No broker answers at this address. Check that it runs, and the port.');
  });

  it('tries less and less often while another client takes its id, or once a minute where the broker says so', async () => {
    const { url } = await broker();
    const first = carrierAt(url);
    const pauses = pausesOf(first);
    // mosquitto says so from 2.1 on.
    let isSaid = false;
    for (let taken = 0; taken < 3; taken += 1) {
      await reaches(first, 'connected');
      const other = carrierAt(url);
      await reaches(other, 'connected');
      const waiting = await reaches(first, 'waiting');
      isSaid = waiting.kind === 'waiting' && waiting.isTakenOver === true;
      await other.close();
    }
    expect(pauses.slice(0, 3)).toEqual(isSaid ? [60_000, 60_000, 60_000] : [1_000, 2_000, 4_000]);
  });

  it('waits no longer than the broker asked for, however often the broker goes down', async () => {
    const running = await broker();
    const opened = await connected(running.url, {}, { longestPauseMs: 2_500 });
    const pauses = pausesOf(opened);
    await running.stop();
    await expect.poll(() => pauses.length).toBeGreaterThan(3);
    expect(pauses.slice(0, 4)).toEqual([1_000, 2_000, 2_500, 2_500]);
  });

  it('sends nothing and calls no handler once it is closed', async () => {
    const { url } = await broker();
    const home = receiver('n');
    const opened = await connected(url, { subscriptions: [home.subscription] });
    await opened.close();
    expect(opened.state).toEqual({ kind: 'closed' });
    await expect(opened.publish({ topic: 'n', payload: '' })).rejects.toMatchObject({ disposition: 'retry' });
    const sender = await another(url);
    await sender.publish('n', 'one');
    expect(home.seen).toEqual([]);
  });
});

describe.runIf(hasMosquitto)('a connection over WebSockets', () => {
  async function overWeb(
    isSecure: boolean,
  ): Promise<{ readonly running: Mosquitto; readonly web: WebBroker }> {
    const running = await broker();
    const web = await openWebBroker(running.port, isSecure ? SELF_SIGNED : null);
    onTestFinished(() => {
      web.close();
    });
    return { running, web };
  }
  const trusted = { ca: SELF_SIGNED.cert, client: null };

  it.each([
    ['ws', false],
    ['wss', true],
  ])('of %s carries messages both ways, at the path of its address', async (_, isSecure) => {
    const { running, web } = await overWeb(isSecure);
    const home = receiver('to/home');
    const opened = await connected(new URL('?home=blue', web.url), {
      tls: trusted,
      subscriptions: [home.subscription],
    });
    // A busy machine may take more than one connection.
    expect(web.asked[0]).toEqual({ path: '/mqtt?home=blue', protocol: 'mqtt' });
    const other = await another(running.url, 'from/home');
    const large = 'x'.repeat(100_000);
    await other.publish('to/home', large);
    expect((await home.has(1)).map(text)).toEqual([large]);
    expect(await opened.publish({ topic: 'from/home', payload: 'moved' })).toEqual({ hasSubscriber: true });
    expect((await other.until(({ topic }) => topic === 'from/home')).text).toBe('moved');
  });

  it('is refused where no authority vouches for the certificate', async () => {
    const { web } = await overWeb(true);
    expect(reasonOf(await reaches(carrierAt(web.url), 'waiting'))).toBe(
      "The broker's certificate is signed by an unknown authority. Give the file of that authority as the CA.",
    );
    expect(web.asked).toEqual([]);
  });

  it('comes back after the broker was killed', async () => {
    const { running, web } = await overWeb(false);
    const home = receiver('n');
    const opened = await connected(web.url, { session: lasting, subscriptions: [home.subscription] });
    await running.kill();
    expect(reasonOf(await reaches(opened, 'waiting'))).toBe('The broker closed the connection.');
    await expect(opened.publish({ topic: 'n', payload: 'stale' })).rejects.toMatchObject({
      disposition: 'retry',
    });
    await running.start();
    await reaches(opened, 'connected');
    await (await another(running.url)).publish('n', 'fresh');
    expect((await home.has(1)).map(text)).toEqual(['fresh']);
  });

  it('explains what to do at an address that serves no broker', async () => {
    const { web } = await overWeb(false);
    const state = await reaches(carrierAt(new URL('/elsewhere', web.url)), 'waiting');
    expect(reasonOf(state)).toMatch(/^The broker.*\.$/);
    expect(web.asked).toEqual([]);
  });
});
