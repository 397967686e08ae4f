// The filter of the history: by lock, by person or access code, and by the way in which it was done.
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { MethodWord } from '../../src/domain/history-page.ts';
import type { LockId } from '../../src/domain/lock.ts';
import { Choice, Labelled } from '../shared/labelled.tsx';
import { usePageContext } from './page-context.ts';
import { nameOf } from './words.ts';

/** As the operations take it. */
export interface ShownFilter {
  readonly locks: readonly LockId[] | null;
  readonly person: string | null;
  readonly methods: readonly MethodWord[] | null;
}

const METHODS: readonly (readonly [MethodWord, string])[] = [
  ['code', 'Access code'],
  ['app', 'The lock’s app'],
  ['hand', 'By hand, from inside'],
  ['button', 'The button outside'],
  ['home', 'Smart home'],
  ['automatic', 'Automatically'],
  ['unknown', 'Unknown'],
];

export function HistoryFilterForm(props: {
  readonly filter: ShownFilter;
  /** Members that are left out stay: the next choice may come before this one is drawn. */
  readonly onChange: (changes: Partial<ShownFilter>) => void;
}): VNode {
  const { filter, onChange } = props;
  const { state } = usePageContext();
  const locks = state.locks ?? [];
  return (
    <div class="filters" role="group" aria-label="Filter">
      <Choice
        label="Lock"
        names={['All locks', ...locks.map(nameOf)]}
        chosen={locks.findIndex(({ id }) => id === filter.locks?.[0]) + 1}
        onChoose={(index) => {
          const lock = locks[index - 1];
          onChange({ locks: lock === undefined ? null : [lock.id] });
        }}
      />
      <PersonField
        person={filter.person}
        onChange={(person) => {
          onChange({ person });
        }}
      />
      <Choice
        label="Method"
        names={['All methods', ...METHODS.map(([, words]) => words)]}
        chosen={METHODS.findIndex(([word]) => word === filter.methods?.[0]) + 1}
        onChoose={(index) => {
          const method = METHODS[index - 1];
          onChange({ methods: method === undefined ? null : [method[0]] });
        }}
      />
    </div>
  );
}

function PersonField(props: {
  readonly person: string | null;
  readonly onChange: (person: string | null) => void;
}): VNode {
  const { call } = usePageContext();
  // What is typed and not asked for yet: a report from the plugin draws the page anew meanwhile.
  const [typed, setTyped] = useState(props.person ?? '');
  const [people, setPeople] = useState<readonly string[]>([]);
  const listId = useId();
  useEffect(() => {
    // Without suggestions, any name can still be typed.
    void call('history.people').then(setPeople, () => undefined);
  }, []);
  return (
    <Labelled label="Person or code">
      {(id) => (
        <>
          <input
            id={id}
            type="search"
            list={listId}
            maxLength={200}
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget: { value } }) => {
              setTyped(value);
            }}
            onChange={({ currentTarget: { value } }) => {
              props.onChange(value.trim() === '' ? null : value.trim());
            }}
          />
          <datalist id={listId}>
            {people.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Labelled>
  );
}
