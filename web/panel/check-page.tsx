// The check: the list is read from the service before anything is called done, then what to do in the Home app.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CredentialingCheck } from './credentialing-check.tsx';
import { readFreshList } from './fresh-list.ts';
import { BoltIcon, CheckIcon } from './icons.tsx';
import { MatterNotice } from './matter-notice.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure, Notice, Part, Status } from './pieces.tsx';
import type { PageResults } from './transport.ts';
import { batteryWords, boltWords, certainBolt, nameOf } from './words.ts';

export function CheckPage({ onDone }: { readonly onDone: () => void }): VNode {
  const { state, call, read } = usePageContext();
  const reading = useAction();
  const [isRead, setRead] = useState(false);
  const check = async (): Promise<void> => {
    setRead(await reading.run(async () => readFreshList({ call, read })));
  };
  useEffect(() => {
    void check();
  }, []);
  const hidden = new Set(state['locks.settings']?.flatMap(({ id, hide }) => (hide.value ? [id] : [])));
  const shown = (state.locks ?? []).filter(({ id }) => !hidden.has(id));
  return (
    <>
      <Status>
        {reading.isBusy && <p>Reading the locks from the service …</p>}
        {isRead && (
          <Notice tone="good">
            <p>
              <CheckIcon /> Done. The service has answered, and this is how your doors stand:
            </p>
          </Notice>
        )}
      </Status>
      <Failure failure={reading.failure} />
      {isRead ? (
        <>
          <DoorList locks={shown} hiddenCount={hidden.size} />
          <CredentialingCheck />
          <MatterNotice />
          <InHome />
          <div class="pushes">
            <Button kind="main" onPress={onDone}>
              Finish
            </Button>
          </div>
        </>
      ) : (
        reading.failure !== null && (
          <div class="pushes">
            <Button kind="main" onPress={() => void check()}>
              Check again
            </Button>
          </div>
        )
      )}
    </>
  );
}

function DoorList(props: { readonly locks: PageResults['locks']; readonly hiddenCount: number }): VNode {
  const { locks, hiddenCount } = props;
  return (
    <>
      <ul class="doors-checked">
        {locks.map((lock) => (
          <li key={lock.id}>
            <span class="seal" data-bolt={certainBolt(lock, true)}>
              <BoltIcon bolt={certainBolt(lock, true)} />
            </span>
            <span>
              <strong>{nameOf(lock)}</strong>
              <br />
              {[
                boltWords(lock, true),
                lock.presence === 'offline' ? 'the service cannot reach it' : '',
                batteryWords(lock.battery),
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {locks.length === 0 && <p>Home will show no lock: the account lists none, or all are hidden.</p>}
      {hiddenCount > 0 && (
        <p class="about">
          {hiddenCount === 1 ? 'One lock is hidden.' : `${String(hiddenCount)} locks are hidden.`}
        </p>
      )}
    </>
  );
}

function InHome(): VNode {
  const { place } = usePageContext();
  return (
    <Part title="Now in the Home app">
      <ol class="todo">
        {place === 'homebridge-ui' && (
          <li>
            The first time, and whenever settings were changed: press <em>Save</em> at the foot of this
            window, then restart Homebridge. Until then nothing of this is in Home.
          </li>
        )}
        <li>
          If this bridge is in Home already, the locks are there, too, in the room of the bridge. Give each
          its room.
        </li>
        <li>
          If not: in Home choose <em>Add Accessory</em> and scan the bridge’s own code. You find it in the
          Homebridge UI, on the status page or, for a child bridge, in the plugin’s menu.
        </li>
        <li>Lock one door by hand, and watch Home follow.</li>
      </ol>
    </Part>
  );
}
