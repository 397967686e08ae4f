// The table of people: guests, and codes of single locks, each with when and where it opens and how it stands.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TonedWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { useAction } from '../state/page-context.ts';
import type { CallError } from '../state/transport.ts';
import { Button, Failure } from './pieces.tsx';
import { type MenuEntries, RowMenu } from './row-menu.tsx';
import { type Removal, RemoveSheet, Sheet } from './sheet.tsx';

export function PeopleTable(props: {
  /** The label for people who listen to the page. */
  readonly caption: string;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <table class="people">
      <caption class="unseen">{props.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Name')}</th>
          <th scope="col">{t('When')}</th>
          <th scope="col">{t('Locks')}</th>
          <th scope="col">{t('State')}</th>
          <th scope="col">
            <span class="unseen">{t('Menu')}</span>
          </th>
        </tr>
      </thead>
      {props.children}
    </table>
  );
}

interface PersonRowProps {
  readonly name: string;
  /** Further text beside the name. */
  readonly tag?: string | null;
  /** A line below the name. Foreign text. */
  readonly about?: string;
  readonly when: string;
  readonly locks: string;
  readonly state: TonedWords;
  /** Returns the digits when a person asks for them; null: there are none to show. */
  readonly reveal: (() => Promise<{ readonly pin: string }>) | null;
  /** Another one when the digits may be others: those that are shown are hidden then. */
  readonly revision: number | string;
  /** Entries of the menu between the code and what changes or removes it. */
  readonly menu?: MenuEntries;
  /** The form that changes it, in its sheet; null: it is not changed here. */
  readonly form?: ((onClose: () => void) => VNode) | null;
  /** The question before it is removed; null: it is not removed here. */
  readonly removal?: Removal | null;
  /** Why the latest thing that a person did with it failed. */
  readonly failure?: CallError | null;
  /** What takes a line of its own below the row; null: nothing. */
  readonly below?: ComponentChildren;
}
export function PersonRow(props: PersonRowProps): VNode {
  const { name, tag = null, about = '', when, locks, state, failure = null, below = null } = props;
  const { pin, entry, onHide, trouble } = useDigits(props);
  return (
    <tbody aria-label={name}>
      <tr>
        <th scope="row">
          <bdi>{name}</bdi> {tag !== null && <span class="tag">{tag}</span>}
          {about !== '' && <bdi class="about">{about}</bdi>}
          <div class="digits">
            <span class="pin" role="status">
              {pin}
            </span>
            {pin !== null && (
              <Button of={name} onPress={onHide}>
                {t('Hide')}
              </Button>
            )}
          </div>
          <Failure failure={trouble ?? failure} />
        </th>
        <td>{when}</td>
        <td>
          <bdi>{locks}</bdi>
        </td>
        <td class={`standing ${state.tone}`}>{state.words}</td>
        <td>
          <RowMenu of={name} entries={[entry, ...entriesOf(props)]} />
        </td>
      </tr>
      {below !== null && (
        <tr class="below">
          <td colSpan={5}>{below}</td>
        </tr>
      )}
    </tbody>
  );
}

/** The digits, which are shown on purpose only. */
function useDigits({ reveal, revision }: PersonRowProps) {
  const [pin, setPin] = useState<string | null>(null);
  const { run, isBusy, failure: trouble } = useAction();
  const onHide = (): void => setPin(null);
  useEffect(onHide, [revision]);
  const show = async (): Promise<void> => setPin((await reveal?.())?.pin ?? null);
  const onPress = (): void => void run(show);
  const entry = reveal !== null && pin === null && { label: t('Show the code'), isBusy, onPress };
  return { pin, entry, onHide, trouble };
}

function entriesOf({ name, menu = [], form = null, removal = null }: PersonRowProps): MenuEntries {
  return [
    ...menu,
    form !== null && {
      label: t('Change'),
      sheet: (onClose) => (
        <Sheet title={t('Change {name}', { name })} onClose={onClose}>
          {form(onClose)}
        </Sheet>
      ),
    },
    removal !== null && {
      label: t('Remove'),
      sheet: (onClose) => <RemoveSheet {...{ name, onClose }} {...removal} />,
    },
  ];
}
