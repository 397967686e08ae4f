// The battery of one lock: how full it is, and its course, as far as this plugin has seen it.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BatteryLevel } from '../../../src/domain/history/battery-course.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { batteryWords } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { shortDate } from '../history/times.ts';
import { BatteryIcon } from '../parts/icons.tsx';
import { isLow } from '../parts/lock-signs.ts';
import { Part } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';

/** The size of the drawing, in its own units. */
const [WIDTH, HEIGHT] = [320, 80];

export function LockBattery({ lock }: { readonly lock: LockView }): VNode | null {
  const { call } = usePageContext();
  const [levels, setLevels] = useState<readonly BatteryLevel[]>([]);
  const { battery, id } = lock;
  useEffect(() => {
    // Without its course, the charge alone is shown.
    void call('locks.battery', { lock: id }).then(setLevels, () => undefined);
  }, [battery.percent]);
  const charge = batteryWords(battery);
  return (
    <Part title={t('Battery')}>
      <ul class="signs">
        <li class={isLow(battery) ? 'warning' : ''}>
          <BatteryIcon level={battery.percent} />
          {charge === '' ? t('Not known') : charge}
        </li>
      </ul>
      {levels.length > 1 ? (
        <Course levels={levels} />
      ) : (
        <p class="about">
          {t('Its course is drawn from the day on which this plugin first sees it change.')}
        </p>
      )}
    </Part>
  );
}

function Course({ levels }: { readonly levels: readonly BatteryLevel[] }): VNode | null {
  const [first, last] = [levels[0], levels.at(-1)];
  if (first === undefined || last === undefined) {
    return null;
  }
  const span = Math.max(1, last.at - first.at);
  const place = ({ at, percent }: BatteryLevel): string =>
    `${String(((at - first.at) / span) * WIDTH)},${String(HEIGHT - (percent / 100) * HEIGHT)}`;
  return (
    <figure class="course">
      <svg viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={levels.map(place).join(' ')} />
      </svg>
      <figcaption class="about">
        {t('From {first}% on {firstDay} to {last}% on {lastDay}', {
          first: first.percent,
          firstDay: shortDate(first.at),
          last: last.percent,
          lastDay: shortDate(last.at),
        })}
      </figcaption>
    </figure>
  );
}
