// Answers that cross each other: readings asked while a bolt travels and answered after it has come to rest.
import { describe, expect, it } from 'vitest';
import { boltOf } from '../../../src/domain/lock.ts';
import { homeWithFrontDoor } from './home.ts';

describe('a slow listing', () => {
  it('asked under way and answered after the arrival does not take the bolt back', async () => {
    const home = await homeWithFrontDoor();
    const shown: string[] = [];
    home.runtime.subscribe((event) => {
      if (event.type === 'lock-changed') {
        shown.push(boltOf(event.lock));
      }
    });
    await home.request('secured');
    await home.clock.advance(1_000);
    home.service.listingReplyMs = 700;
    const asked = home.runtime.refresh();
    await home.clock.advance(10_000);
    await asked;
    expect(shown.slice(shown.indexOf('secured'))).not.toContain('unsecured');
    expect(home.shown()).toEqual(['secured', null]);
  });
});
