// The keypad outside: a code, right or wrong, and the lock's reaction to it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { memberOf } from '../../src/support/text/foreign-json.ts';
import { Form } from '../../web/shared/form.tsx';
import { Labelled } from '../../web/shared/labelled.tsx';
import type { KeypadResult, LockInspection } from '../src/world/world-types.ts';
import { lockPath, useAct } from './control.ts';

const RESULTS: Readonly<Record<KeypadResult, string>> = {
  accepted: 'Accepted',
  refused: 'Refused',
  'locked-out': 'The keypad is off',
  'no-power': 'No power',
};

const isResult = (value: unknown): value is KeypadResult =>
  typeof value === 'string' && Object.hasOwn(RESULTS, value);

export function Keypad({ lock }: { readonly lock: LockInspection }): VNode {
  const act = useAct();
  const [code, setCode] = useState('');
  const [said, setSaid] = useState('');
  const type = async (to: 'Locked' | 'Unlocked'): Promise<void> => {
    const outcome = await act(lockPath(lock.deviceId, 'type-code'), { code, to });
    const result = outcome.ok ? memberOf(outcome.result, 'keypad') : undefined;
    setSaid(isResult(result) ? RESULTS[result] : '');
    setCode('');
  };
  return (
    <Form class="keypad" onSubmit={() => void type('Unlocked')}>
      <Labelled label="Code at the keypad">
        {(id) => (
          <input
            id={id}
            inputMode="numeric"
            autocomplete="off"
            value={code}
            onInput={({ currentTarget }) => setCode(currentTarget.value)}
          />
        )}
      </Labelled>
      <button type="submit" aria-label={`Unlock by code, ${lock.name}`}>
        Unlock
      </button>
      <button type="button" aria-label={`Lock by code, ${lock.name}`} onClick={() => void type('Locked')}>
        Lock
      </button>
      <output>{said}</output>
      <KnownCodes lock={lock} onChoose={setCode} />
    </Form>
  );
}

/** The codes of the lock itself, whatever the cloud lists. */
function KnownCodes(props: {
  readonly lock: LockInspection;
  readonly onChoose: (code: string) => void;
}): VNode | null {
  const { lock, onChoose } = props;
  return lock.codesOnLock.length === 0 ? null : (
    <p class="codes">
      Codes on the lock:{' '}
      {lock.codesOnLock.map(({ accessCodeId, name, code }, index) => (
        <button
          // An id may stand twice on a lock (error 27).
          key={`${accessCodeId} ${String(index)}`}
          type="button"
          class="chip"
          onClick={() => onChoose(code)}
        >
          {name} {code}
          <span class="unseen">, fill in at {lock.name}</span>
        </button>
      ))}
    </p>
  );
}
