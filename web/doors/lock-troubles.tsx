// Faults of one lock: its motor, its Wi-Fi, its batteries, its next command, its speed.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ERROR_CODES, ERRORS } from '../../src/simulator/contract/errors.ts';
import type { LockInspection } from '../../src/simulator/world/world-types.ts';
import { Fold } from '../shared/fold.tsx';
import { Form } from '../shared/form.tsx';
import { Choice, Labelled } from '../shared/labelled.tsx';
import { lockPath, useAct } from './control.ts';
import { Button } from './pieces.tsx';

const SECOND_MS = 1000;

const ERROR_NAMES = ERROR_CODES.map((code) => `${String(code)} ${ERRORS[code].words}`);

export function LockTroubles({ lock }: { readonly lock: LockInspection }): VNode {
  return (
    <Fold title="Battery and faults" of={lock.name}>
      {() => (
        <>
          <Switches lock={lock} />
          <Supply lock={lock} />
          <FailNextCommand lock={lock} />
          <TravelTime lock={lock} />
        </>
      )}
    </Fold>
  );
}

/** What stays until it is switched off. */
function Switches({ lock }: { readonly lock: LockInspection }): VNode {
  const act = useAct();
  const { name, jamsLeft, wifi } = lock;
  const push = (action: string) => (): void => void act(lockPath(lock.deviceId, action));
  return (
    <div class="row">
      <Button of={name} pressed={jamsLeft !== 0} onPress={push(jamsLeft === 0 ? 'jam' : 'clear-jam')}>
        Jam
      </Button>
      <Button of={name} pressed={!wifi} onPress={push(wifi ? 'cut-wifi' : 'restore-wifi')}>
        Cut Wi-Fi
      </Button>
    </div>
  );
}

function Supply({ lock }: { readonly lock: LockInspection }): VNode {
  const act = useAct();
  const push = (action: string, details?: unknown) => (): void =>
    void act(lockPath(lock.deviceId, action), details);
  const { name, settings } = lock;
  return (
    <div class="row">
      <Button of={name} onPress={push('set-battery', { percent: settings.lowBatteryPercent })}>
        Battery low
      </Button>
      <Button of={name} onPress={push('set-battery', { percent: settings.criticalBatteryPercent })}>
        Battery critical
      </Button>
      <Button of={name} onPress={push('set-battery', { percent: 0 })}>
        Battery empty
      </Button>
      <Button of={name} onPress={push('set-battery', { percent: null })}>
        Battery not reported
      </Button>
      <Button of={name} onPress={push('replace-batteries')}>
        New batteries
      </Button>
      <Button of={name} onPress={push('jam', { count: 1 })}>
        Jam once
      </Button>
      <Button of={name} onPress={push('forget-position')}>
        Forget the position
      </Button>
    </div>
  );
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
