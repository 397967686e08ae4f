// The simulator's time, and steps ahead in it.
import type { VNode } from 'preact';
import { useTimeThere } from '../../web/shared/time-there.ts';
import { useAct } from './control.ts';
import { Button, Part } from './pieces.tsx';
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

export function Time({ aheadMs }: { readonly aheadMs: number }): VNode {
  return (
    <Part title="Time" note={aheadMs === 0 ? '' : 'moved ahead'}>
      {() => <Clock aheadMs={aheadMs} />}
    </Part>
  );
}

function Clock({ aheadMs }: { readonly aheadMs: number }): VNode {
  const act = useAct();
  const now = useTimeThere(aheadMs, SECOND_MS);
  return (
    <>
      <p>
        It is <time dateTime={new Date(now).toISOString()}>{dayWords(now)}</time> in the simulator.
      </p>
      <div class="row" role="group" aria-label="Go ahead in time">
        {STEPS.map(([words, ms]) => (
          <Button key={words} onPress={() => void act('time/advance', { ms })}>
            {`+ ${words}`}
          </Button>
        ))}
      </div>
    </>
  );
}
