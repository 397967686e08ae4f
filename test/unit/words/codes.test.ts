// The message to a person whose form was opened before another person saved.

import { expect, it } from 'vitest';
import { changedMeanwhile } from '../../../src/words/codes.ts';
import { t } from '../../../src/words/translate.ts';

const ALWAYS = { kind: 'always' } as const;
const WEEKLY = { kind: 'recurring', windows: [{ days: ['Monday'], from: '08:00', until: '09:00' }] } as const;
const NOTHING = 'Nothing was changed: somebody else changed this meanwhile.';

it('a message about a change meanwhile names both versions, without digits, and only the touched members (faults#119)', () => {
  const now = { name: 'Anna', schedule: WEEKLY };
  const asked = { name: 'Ann', pin: '4711', schedule: ALWAYS, locks: 'all locks' };
  expect(t(changedMeanwhile({ ...now, locks: 'Front door' }, asked, 'UTC'))).toBe(
    `${NOTHING} Now: "Anna", Mon 08:00-09:00, on Front door. Yours: "Ann", other digits, always, on all locks. Try again to use yours.`,
  );
  expect(t(changedMeanwhile(now, { pin: '4711' }, 'UTC'))).toBe(
    `${NOTHING} Now: "Anna", Mon 08:00-09:00. Yours: other digits. Try again to use yours.`,
  );
  expect(t(changedMeanwhile(now, {}, 'UTC'))).toBe(
    `${NOTHING} Now: "Anna", Mon 08:00-09:00. Try again to go on.`,
  );
});
