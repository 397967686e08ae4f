// A form for all actions without a button: any action of the control API, with its details as JSON.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { memberOf } from '../../src/support/text/foreign-json.ts';
import { Form } from '../../web/shared/form.tsx';
import { Choice, Labelled } from '../../web/shared/labelled.tsx';
import type { Snapshot } from '../src/control/snapshot.ts';
import { type Act, lockPath, useAct } from './control.ts';
import { Part } from './pieces.tsx';

interface Action {
  readonly kind: 'lock' | 'house';
  readonly name: string;
  readonly summary: string;
}

/** The list of actions from the control API. */
async function askForActions(): Promise<readonly Action[]> {
  // oxlint-disable-next-line no-restricted-globals -- the browser's own, on the page's own origin
  const answer: unknown = await (await fetch('/_control/actions')).json();
  return (['lock', 'house'] as const).flatMap((kind) =>
    Object.entries(memberOf(answer, kind) ?? {}).map(([name, action]) => ({
      kind,
      name,
      summary: String(memberOf(action, 'summary')),
    })),
  );
}

export function AnyAction({ locks }: Pick<Snapshot, 'locks'>): VNode {
  return <Part title="Anything else">{() => <ActionForm locks={locks} />}</Part>;
}

function ActionForm({ locks }: Pick<Snapshot, 'locks'>): VNode {
  const act = useAct();
  const [actions, setActions] = useState<readonly Action[]>([]);
  const [chosen, setChosen] = useState(0);
  const [lockIndex, setLockIndex] = useState(0);
  const [details, setDetails] = useState('{}');
  const [said, setSaid] = useState('');
  useEffect(() => {
    // Without the list the part is empty, and everything else still works.
    askForActions().then(setActions, () => undefined);
  }, []);
  const action = actions[chosen];
  const lock = locks[lockIndex] ?? locks[0];
  return (
    <Form
      class="stack"
      onSubmit={() => void perform(act, action, lock?.deviceId ?? '', details).then(setSaid)}
    >
      <Choice
        label="Action"
        names={actions.map(({ kind, name }) => `${name} (${kind})`)}
        chosen={chosen}
        onChoose={setChosen}
      />
      <p>{action?.summary}</p>
      {action?.kind === 'lock' && (
        <Choice
          label="Lock"
          names={locks.map(({ name }) => name)}
          chosen={Math.min(lockIndex, Math.max(locks.length - 1, 0))}
          onChoose={setLockIndex}
        />
      )}
      <Labelled label="Details, JSON">
        {(id) => (
          <textarea
            id={id}
            rows={3}
            spellcheck={false}
            value={details}
            onInput={({ currentTarget }) => setDetails(currentTarget.value)}
          />
        )}
      </Labelled>
      <button type="submit">Do it</button>
      <output>{said}</output>
    </Form>
  );
}

/** Carries out the action and shows its result; the page shows failures itself. */
async function perform(
  act: Act,
  action: Action | undefined,
  deviceId: string,
  details: string,
): Promise<string> {
  if (action === undefined) {
    return '';
  }
  const parsed = parseJson(details);
  if (parsed === undefined) {
    return 'The details are not JSON.';
  }
  const path = action.kind === 'lock' ? lockPath(deviceId, action.name) : `house/${action.name}`;
  const outcome = await act(path, parsed);
  return outcome.ok ? `Done: ${JSON.stringify(outcome.result)}` : '';
}

/** The parsed details; undefined when they are no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
