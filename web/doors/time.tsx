// The simulator's time, and steps ahead in it.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useHands } from './hands.ts';
import { Part, Push } from './pieces.tsx';
import { dayWords } from './words.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const STEPS = [
  ['10 seconds', 10 * SECOND_MS],
  ['1 minute', MINUTE_MS],
  ['20 minutes', 20 * MINUTE_MS],
  ['1 hour', HOUR_MS],
  ['1 day', DAY_MS],
] as const;

// oxlint-disable-next-line no-restricted-properties -- a page has no clock but the browser's
const browserNow = (): number => Date.now();

export function Time({ aheadMs }: { readonly aheadMs: number }): VNode {
  const act = useHands();
  const [now, setNow] = useState(browserNow);
  useEffect(() => {
    // oxlint-disable-next-line no-restricted-globals -- a page has no clock but the browser's
    const ticking = setInterval(() => {
      setNow(browserNow());
    }, SECOND_MS);
    return () => {
      clearInterval(ticking);
    };
  }, []);
  return (
    <Part title="Time">
      <p>
        It is <time dateTime={new Date(now + aheadMs).toISOString()}>{dayWords(now + aheadMs)}</time> in the
        simulator.
      </p>
      <div class="row" role="group" aria-label="Go ahead in time">
        {STEPS.map(([words, ms]) => (
          <Push
            key={words}
            onPush={() => {
              void act('time/advance', { ms });
            }}
          >
            {`+ ${words}`}
          </Push>
        ))}
      </div>
    </Part>
  );
}
