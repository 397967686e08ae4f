// The enrolment line: a written line is read, and any other text is refused without being repeated.
import { describe, expect, it } from 'vitest';
import { readEnrolment, writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { ENROLMENT } from './enrolment.ts';

function problemsOf(webhooks: object, partner: object = {}): readonly string[] {
  const reading = readConfig({ partner, webhooks: { enabled: true, ...webhooks } });
  return reading.ok ? [] : reading.problems;
}

describe('an enrolment line', () => {
  it('is read as it was written, with and without an address of its own', () => {
    expect(readEnrolment(writeEnrolment(ENROLMENT))).toEqual(ENROLMENT);
    const shared = { ...ENROLMENT, url: null };
    expect(readEnrolment(writeEnrolment(shared))).toEqual(shared);
  });

  it.each([
    ['another text', 'hello'],
    ['half a line', writeEnrolment(ENROLMENT).slice(0, 80)],
    ['a line of a later form', writeEnrolment(ENROLMENT).replace('relay-1', 'relay-2')],
    ['a topic with a wildcard', writeEnrolment({ ...ENROLMENT, topic: 'latchkey/homes/+/events' })],
    ['longer than any', writeEnrolment({ ...ENROLMENT, home: 'b'.repeat(2_000) })],
    ['a home with another name', writeEnrolment({ ...ENROLMENT, home: 'Blue' })],
    ['a home with a blank before its name', writeEnrolment({ ...ENROLMENT, home: ' blue' })],
    ['a home with a blank after its name', writeEnrolment({ ...ENROLMENT, home: 'blue ' })],
    ['an address of another kind', writeEnrolment({ ...ENROLMENT, url: 'ftp://relay.example' })],
    ['an address of a longer kind', writeEnrolment({ ...ENROLMENT, url: 'httpsx://relay.example' })],
    ['an address of a kind in another', writeEnrolment({ ...ENROLMENT, url: 'xhttps://relay.example' })],
    ['a broker of another kind', writeEnrolment({ ...ENROLMENT, broker: 'https://broker.example' })],
    ['a broker of a longer kind', writeEnrolment({ ...ENROLMENT, broker: 'mqttsx://broker.example' })],
    ['a broker of a kind in another', writeEnrolment({ ...ENROLMENT, broker: 'xmqtts://broker.example' })],
    [
      'a key with more before it',
      writeEnrolment({ ...ENROLMENT, key: { ...ENROLMENT.key, x: `=${'x'.repeat(43)}` } }),
    ],
    [
      'a key with more after it',
      writeEnrolment({ ...ENROLMENT, key: { ...ENROLMENT.key, d: `${'d'.repeat(43)}=` } }),
    ],
    ['a key of another size', writeEnrolment({ ...ENROLMENT, key: { x: 'x', d: 'd' } })],
  ])('is refused when it is %s', (_case, line) => {
    expect(readEnrolment(line)).toBeNull();
  });

  it('makes the registration lead to the relay', () => {
    const reading = readConfig({
      webhooks: { enabled: true, via: 'relay', enrolment: writeEnrolment(ENROLMENT) },
    });
    expect(reading).toMatchObject({
      ok: true,
      warnings: [],
      config: {
        webhooks: { publicUrl: 'https://relay.example', path: '/h/blue/token', relay: ENROLMENT },
      },
    });
  });

  it('that is missing is asked for, by name and with the next step, and is never repeated', () => {
    expect(problemsOf({ via: 'relay' })).toEqual([
      'webhooks.enrolment: is missing; paste the line that the operator of the relay gave you',
    ]);
    expect(problemsOf({ via: 'relay', enrolment: 'secret-of-another-thing' })).toEqual([
      'webhooks.enrolment: is not an enrolment line; paste it whole, from "latchkey-relay" on',
    ]);
  });

  it.each([
    { broker: 'mqtt://broker.example' },
    { broker: 'nats://a.example,b.example' },
    { url: 'http://relay.example/h/blue/token' },
    { broker: 'ws://127.0.0.1:9001' },
  ])('is refused with an address that is not encrypted: %j', (change) => {
    const enrolment = writeEnrolment({ ...ENROLMENT, ...change });
    expect(problemsOf({ via: 'relay', enrolment })).toEqual([
      'webhooks.enrolment: names an address without encryption; ask for one with https: and mqtts:, wss: or tls:',
    ]);
  });

  it('may lead to this machine without encryption, for tests', () => {
    const enrolment = writeEnrolment({
      ...ENROLMENT,
      url: 'http://127.0.0.1:1/h/blue/token',
      broker: 'mqtt://127.0.0.1:1',
    });
    expect(problemsOf({ via: 'relay', enrolment }, { allowInsecureLoopback: true })).toEqual([]);
  });

  it('causes a warning for options that only another delivery needs', () => {
    const enrolment = writeEnrolment(ENROLMENT);
    const relayed = { enabled: true, via: 'relay', enrolment, publicUrl: 'https://home.example' };
    expect(readConfig({ webhooks: relayed })).toMatchObject({
      warnings: ['webhooks.publicUrl: is not used with webhooks.via "relay"; remove it'],
    });
    const direct = { enabled: true, enrolment, publicUrl: 'https://home.example' };
    expect(readConfig({ webhooks: direct })).toMatchObject({
      warnings: ['webhooks.enrolment: is not used with webhooks.via "direct"; remove it'],
    });
  });
});
