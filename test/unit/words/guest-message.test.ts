// The message to a guest: what it says, and that it never hides a lock that lacks the code.
import { afterEach, describe, expect, it } from 'vitest';
import { type GuestMessageFacts, guestMessage } from '../../../src/words/guest-message.ts';
import { ENGLISH, setLanguage } from '../../../src/words/translate.ts';

const FACTS: GuestMessageFacts = {
  guest: 'Anna Müller',
  flat: 'Flat 1',
  doors: ['House door', 'Flat 1'],
  missing: [],
  when: { kind: 'temporary', from: Date.UTC(2026, 10, 26, 14), until: Date.UTC(2026, 10, 29, 10) },
  timeZone: 'Europe/Paris',
  pin: '0417',
  template: '',
};

const NOT_YET = 'The code does not work yet at: Flat 1. Please wait until I write again.';

describe('the message to a guest', () => {
  afterEach(() => setLanguage(ENGLISH));

  it('greets, and says the doors, the hours on the lock’s clock, the digits and how to type them', () => {
    expect(guestMessage(FACTS).split('\n')).toEqual([
      'Hello Anna Müller,',
      '',
      'Your code for House door and Flat 1: 0417',
      'It opens from Thu, Nov 26, 15:00 to Sun, Nov 29, 11:00.',
      'Touch the keypad, then type the digits one after the other.',
    ]);
    expect(guestMessage({ ...FACTS, guest: null })).toMatch(/^Hello,\n/u);
  });

  it.each(['', 'Code {code}', '{how} {code}'])(
    'names a lock that lacks the code, whatever the template "%s" says',
    (template) => {
      const text = guestMessage({ ...FACTS, template, missing: ['Flat 1'] });
      expect(text).toContain('0417');
      expect(text.endsWith(NOT_YET)).toBe(true);
    },
  );

  it('fills in the template of the calendar', () => {
    const template = '{guest}: {code} from {from} until {until} for {doors} ({flat})';
    expect(guestMessage({ ...FACTS, template })).toBe(
      'Anna Müller: 0417 from Thu, Nov 26, 15:00 until Sun, Nov 29, 11:00 for House door and Flat 1 (Flat 1)',
    );
  });

  it('says of a guest without dates when the code opens', () => {
    expect(guestMessage({ ...FACTS, when: { kind: 'always' } })).toContain('It opens at any time.');
    const windows = [{ days: ['Monday', 'Friday'], from: '08:00', until: '11:00' }] as const;
    expect(guestMessage({ ...FACTS, when: { kind: 'recurring', windows } })).toContain(
      'It opens: Mon, Fri 08:00–11:00.',
    );
  });

  it('is in the language of the guest also after another one was written', () => {
    expect(guestMessage(FACTS)).toContain('Thu, Nov 26');
    setLanguage({ ...ENGLISH, code: 'de', locale: 'de' });
    expect(guestMessage(FACTS)).toContain('Do., 26. Nov.');
  });
});
