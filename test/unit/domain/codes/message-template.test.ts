// The template of a message to a guest: its places, and what is refused.
import { describe, expect, it } from 'vitest';
import { faultOfTemplate, filledTemplate } from '../../../../src/domain/codes/message-template.ts';
import { t } from '../../../../src/words/translate.ts';

const VALUES = {
  guest: 'Anna',
  flat: 'Flat 1',
  doors: 'House door and Flat 1',
  from: 'Thu, Nov 26, 15:00',
  until: 'Sun, Nov 29, 11:00',
  code: '0417',
  how: 'Touch the keypad.',
};

describe('the template of a message', () => {
  it('is filled in at its places, and nowhere else', () => {
    expect(filledTemplate('Hi {guest}, {code} at {flat} {wifi} {code', VALUES)).toBe(
      'Hi Anna, 0417 at Flat 1 {wifi} {code',
    );
    expect(filledTemplate('{code}', { ...VALUES, code: '{guest}' })).toBe('{guest}');
  });

  it('is refused with a place that stands for nothing, and without the code', () => {
    const fault = faultOfTemplate('Hello {name}, your code is {code}');
    expect(fault === null ? '' : t(fault)).toContain('{name}, which stands for nothing');
    expect(faultOfTemplate('Hello {guest}')).not.toBeNull();
    expect(faultOfTemplate('Your code: {code}')).toBeNull();
    expect(faultOfTemplate(' ')).toBeNull();
  });
});
