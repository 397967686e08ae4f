// The filter of the history: by lock, method, person or access code, and days.
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { MethodWord } from '../../../src/domain/history/page.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice, Labelled } from '../../shared/labelled.tsx';
import { LockChoice } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';
import type { ShownFilter } from './feed.ts';

const METHODS: readonly (readonly [MethodWord, Message])[] = [
  ['code', message('Access code')],
  ['app', message('The lock’s app')],
  ['hand', message('By hand, from inside')],
  ['button', message('The button outside')],
  ['home', message('Smart home')],
  ['automatic', message('Automatically')],
  ['unknown', message('Unknown')],
];

export function HistoryFilterForm(props: {
  readonly filter: ShownFilter;
  /** Members that are left out stay: the next choice may come before this one is drawn. */
  readonly onChange: (changes: Partial<ShownFilter>) => void;
}): VNode {
  const { filter, onChange } = props;
  const { state } = usePageContext();
  return (
    <div class="filters" role="group" aria-label={t('Filter')}>
      <LockChoice
        locks={state.locks ?? []}
        chosen={filter.locks?.[0] ?? null}
        onChoose={(lock) => onChange({ locks: lock === null ? null : [lock] })}
      />
      <Choice
        label={t('Method')}
        names={[t('All methods'), ...METHODS.map(([, words]) => t(words))]}
        chosen={METHODS.findIndex(([word]) => word === filter.methods?.[0]) + 1}
        onChoose={(index) => {
          const method = METHODS[index - 1];
          onChange({ methods: method === undefined ? null : [method[0]] });
        }}
      />
      <PersonField person={filter.person} onChange={(person) => onChange({ person })} />
      <DayField
        label={t('From')}
        day={filter.firstDay}
        latest={filter.lastDay}
        onChange={(firstDay) => onChange({ firstDay })}
      />
      <DayField
        label={t('To')}
        day={filter.lastDay}
        earliest={filter.firstDay}
        onChange={(lastDay) => onChange({ lastDay })}
      />
    </div>
  );
}

/** A date, or none. */
export function DayField(props: {
  readonly label: string;
  readonly day: string | null;
  readonly earliest?: string | null;
  readonly latest?: string | null;
  readonly onChange: (day: string | null) => void;
}): VNode {
  const { label, day, earliest, latest, onChange } = props;
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          type="date"
          value={day ?? ''}
          min={earliest ?? undefined}
          max={latest ?? undefined}
          onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : value)}
        />
      )}
    </Labelled>
  );
}

function PersonField(props: {
  readonly person: string | null;
  readonly onChange: (person: string | null) => void;
}): VNode {
  const { call } = usePageContext();
  // Typed text without a request yet, kept here because a report from the plugin draws the page anew.
  const [typed, setTyped] = useState(props.person ?? '');
  const [people, setPeople] = useState<readonly string[]>([]);
  const listId = useId();
  useEffect(() => {
    // Without suggestions, any name can still be typed.
    void call('history.people').then(setPeople, () => undefined);
  }, []);
  return (
    <Labelled label={t('Person or code')}>
      {(id) => (
        <>
          <input
            id={id}
            type="search"
            list={listId}
            maxLength={200}
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget: { value } }) => setTyped(value)}
            onChange={({ currentTarget: { value } }) =>
              props.onChange(value.trim() === '' ? null : value.trim())
            }
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
