// The enrolment line: a written line is read, and any other text is refused without being repeated.
import { describe, expect, it } from 'vitest';
import { readEnrolment, writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { ENROLMENT } from './enrolment.ts';

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
});
