// The check: the list is read from the service before the setup counts as done, then the next steps in the Home app.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { batteryWords, nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { FEATURE_PAGES } from '../features.ts';
import { readFreshList } from '../parts/fresh-list.ts';
import { BoltIcon, CheckIcon } from '../parts/icons.tsx';
import { boltSign, certainBolt } from '../parts/lock-signs.ts';
import { Button, Failure, Notice, Status } from '../parts/pieces.tsx';
import { isCurrent } from '../state/account-state.ts';
import { useAction, usePageContext } from '../state/page-context.ts';
import { needsRestart } from '../state/standing.ts';
import type { PageResults } from '../state/transport.ts';
import { InHome, StepLeft } from './step-left.tsx';

export function CheckPage({ onDone }: { readonly onDone: () => void }): VNode {
  const { state, file, call, read } = usePageContext();
  const isStepLeft = needsRestart(state, file);
  const reading = useAction();
  const [isRead, setRead] = useState(false);
  const check = async (): Promise<void> =>
    setRead(await reading.run(async () => readFreshList({ call, read })));
  useEffect(() => void check(), []);
  const hidden = new Set(state['locks.settings']?.flatMap(({ id, hide }) => (hide.value ? [id] : [])));
  const shown = (state.locks ?? []).filter(({ id }) => !hidden.has(id));
  return (
    <>
      <Status>
        {reading.isBusy && <p>{t('Loading locks …')}</p>}
        {isRead && (
          <Notice tone="good">
            <p>
              <CheckIcon /> {t('You’re connected. Your locks:')}
            </p>
          </Notice>
        )}
      </Status>
      <Failure failure={reading.failure} />
      {isRead ? (
        <>
          <DoorList locks={shown} hiddenCount={hidden.size} isCurrent={isCurrent(state)} />
          {FEATURE_PAGES.map(({ name, Check }) => Check && <Check key={name} />)}
          {isStepLeft ? <StepLeft /> : null}
          <InHome title={t(isStepLeft ? 'Then in the Home app' : 'Now in the Home app')} />
          {!isStepLeft && (
            <div class="pushes">
              <Button kind="main" onPress={onDone}>
                {t('Finish')}
              </Button>
            </div>
          )}
        </>
      ) : (
        reading.failure !== null && (
          <div class="pushes">
            <Button kind="main" onPress={() => void check()}>
              {t('Check again')}
            </Button>
          </div>
        )
      )}
    </>
  );
}

function DoorList(props: {
  readonly locks: PageResults['locks'];
  readonly hiddenCount: number;
  readonly isCurrent: boolean;
}): VNode {
  const { locks, hiddenCount, isCurrent: current } = props;
  return (
    <>
      <ul class="doors-checked">
        {locks.map((lock) => (
          <li key={lock.id}>
            <span class="seal" data-bolt={certainBolt(lock, current)}>
              <BoltIcon bolt={certainBolt(lock, current)} />
            </span>
            <span>
              <strong>
                <bdi>{nameOf(lock)}</bdi>
              </strong>
              <br />
              {[
                boltSign(lock, current),
                lock.presence === 'offline' ? t('offline') : '',
                batteryWords(lock.battery),
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {locks.length === 0 && <p>{t('No locks will appear in Home: none found, or all are hidden.')}</p>}
      {hiddenCount > 0 && (
        <p class="about">
          {t('{count, plural, one {One lock is hidden.} other {# locks are hidden.}}', {
            count: hiddenCount,
          })}
        </p>
      )}
    </>
  );
}
