// Faults of one lock: its motor, its Wi-Fi, its batteries, its next command, its speed.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Fold } from '../../web/shared/fold.tsx';
import { Form } from '../../web/shared/form.tsx';
import { Choice, Labelled } from '../../web/shared/labelled.tsx';
import { ERROR_CODES, ERRORS } from '../src/contract/errors.ts';
import type { LockInspection } from '../src/world/world-types.ts';
import { lockPath, useAct } from './control.ts';
import { type Deed, Deeds } from './deeds.tsx';
import { Button } from './pieces.tsx';

const SECOND_MS = 1000;

const ERROR_NAMES = ERROR_CODES.map((code) => `${String(code)} ${ERRORS[code].words}`);

export function LockTroubles({ lock }: { readonly lock: LockInspection }): VNode {
  return (
    <Fold title="Battery and faults" of={lock.name}>
      {() => (
        <>
          <Deeds lock={lock} deeds={switchesOf(lock)} />
          <Deeds lock={lock} deeds={supplyOf(lock)} />
          <FailNextCommand lock={lock} />
          <TravelTime lock={lock} />
        </>
      )}
    </Fold>
  );
}

/** What stays until it is switched off. */
function switchesOf({ jamsLeft, wifi }: LockInspection): readonly Deed[] {
  return [
    { label: 'Jam', action: jamsLeft === 0 ? 'jam' : 'clear-jam', pressed: jamsLeft !== 0 },
    { label: 'Cut Wi-Fi', action: wifi ? 'cut-wifi' : 'restore-wifi', pressed: !wifi },
  ];
}

function supplyOf({ settings }: LockInspection): readonly Deed[] {
  const battery = (label: string, percent: number | null): Deed => ({
    label,
    action: 'set-battery',
    details: { percent },
  });
  return [
    battery('Battery low', settings.lowBatteryPercent),
    battery('Battery critical', settings.criticalBatteryPercent),
    battery('Battery empty', 0),
    battery('Battery not reported', null),
    { label: 'New batteries', action: 'replace-batteries' },
    { label: 'Jam once', action: 'jam', details: { count: 1 } },
    { label: 'Forget the position', action: 'forget-position' },
  ];
}

function FailNextCommand({ lock }: { readonly lock: LockInspection }): VNode {
  const act = useAct();
  const [chosen, setChosen] = useState(ERROR_CODES.indexOf(32));
  return (
    <div class="row">
      <Choice label="Error of the next command" names={ERROR_NAMES} chosen={chosen} onChoose={setChosen} />
      <Button
        of={lock.name}
        onPress={() =>
          void act(lockPath(lock.deviceId, 'fail-next-commands'), { errorCode: ERROR_CODES[chosen] })
        }
      >
        Fail it
      </Button>
    </div>
  );
}

function TravelTime({ lock }: { readonly lock: LockInspection }): VNode {
  const act = useAct();
  const [seconds, setSeconds] = useState(String(lock.settings.travelMs / SECOND_MS));
  return (
    <Form
      class="row"
      onSubmit={() => {
        const travelMs = Math.round(Number(seconds) * SECOND_MS);
        void act(lockPath(lock.deviceId, 'configure'), { travelMs });
      }}
    >
      <Labelled label="Travel time of the bolt, seconds">
        {(id) => (
          <input
            id={id}
            type="number"
            min="0"
            step="0.1"
            required
            value={seconds}
            onInput={({ currentTarget }) => setSeconds(currentTarget.value)}
          />
        )}
      </Labelled>
      <button type="submit" aria-label={`Set the travel time, ${lock.name}`}>
        Set
      </button>
    </Form>
  );
}
