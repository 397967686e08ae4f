// A process killed around the renewal of its token, with a service that forgives a repeated token and one that does not.
import { describe, expect, it } from 'vitest';
import { killBetweenAnswerAndRow, Linked } from './token-kills.ts';

/** A thousand in torture. */
const KILLS = 5;
/** Each of which needs a link of its own. */
const STRICT_KILLS = 1;

describe('a process killed around the renewal of its token', () => {
  it(`loses no link with a service that forgives a repeated token: 0 of ${KILLS} between answer and row (faults#8)`, async () => {
    const states = await killBetweenAnswerAndRow(KILLS);
    console.log(
      `${KILLS} kills between answer and row, a forgiving service: ${states.filter((state) => state !== 'linked').length} links lost`,
    );
    expect(states).toEqual(Array.from({ length: KILLS }, () => 'linked'));
  });

  it.each([
    ['before-request', 'linked'],
    ['between-answer-and-row', 'revoked'],
    ['after-row', 'linked'],
  ] as const)(
    'with a strict service, killed %s, is %s after: only the published window costs the link (faults#8)',
    async (point, state) => {
      const linked = await Linked.open(0);
      for (let kill = 0; kill < STRICT_KILLS; kill += 1) {
        await linked.killAt(point);
        expect(await linked.goOn()).toBe(state);
        await linked.link();
      }
    },
  );
});
