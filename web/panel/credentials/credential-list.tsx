// The credentials of a site or of all, searched as one types, each with a way to delete it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CredentialListView, CredentialView } from '../../../src/features/credentials/panel/views.ts';
import { phoneWords } from '../../../src/features/credentials/words.ts';
import { capital } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Choice } from '../../shared/labelled.tsx';
import { Field } from '../parts/fields.tsx';
import { Confirmed, Failure, Notice, Part } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

/** The number of rows that are shown; further ones are found by searching. */
const MAX_ROWS = 25;

const EVERY_SITE = '';

export function CredentialList(props: {
  readonly list: CredentialListView;
  readonly onChange: () => void;
}): VNode {
  const { credentials, unreadable } = props.list;
  const [site, setSite] = useState(EVERY_SITE);
  const [search, setSearch] = useState('');
  const sites = new Map(
    credentials.flatMap(({ siteId, siteName }) =>
      siteId === null ? [] : [[siteId, siteName ?? t('Site {id}', { id: siteId })] as const],
    ),
  );
  const found = credentials.filter((credential) => matches(credential, site, search));
  return (
    <Part title={t('Issued credentials')}>
      <div class="filters">
        <Choice
          label={t('Site')}
          names={[t('All sites'), ...sites.values()]}
          chosen={[...sites.keys()].indexOf(site) + 1}
          onChoose={(index) => setSite([...sites.keys()][index - 1] ?? EVERY_SITE)}
        />
        <Field
          label={t('Search')}
          placeholder={t('Phone number, user or card number')}
          value={search}
          onInput={setSearch}
        />
      </div>
      <p role="status">{countWords(found.length, credentials.length)}</p>
      {unreadable > 0 && (
        <Notice tone="warning">
          <p>
            {t(
              '{count, plural, one {# entry of the service’s list could not be read and is not shown.} other {# entries of the service’s list could not be read and are not shown.}}',
              { count: unreadable },
            )}
          </p>
        </Notice>
      )}
      <ul class="credentials">
        {found.slice(0, MAX_ROWS).map((credential) => (
          <li key={credential.id}>
            <CredentialEntry credential={credential} onDeleted={props.onChange} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function CredentialEntry(props: {
  readonly credential: CredentialView;
  readonly onDeleted: () => void;
}): VNode {
  const { credential, onDeleted } = props;
  const { call } = usePageContext();
  const deleting = useAction();
  const remove = async (): Promise<void> => {
    if (await deleting.run(async () => call('credentials.delete', { id: credential.id }))) {
      onDeleted();
    }
  };
  const { mobileNumber, userId, siteName, siteId } = credential;
  const name = mobileNumber === '' ? userId : mobileNumber;
  return (
    <article class="credential" aria-label={name}>
      <div>
        <h4>{name}</h4>
        <p class="about">
          {[cardWords(credential), siteName ?? siteId ?? '', capital(phoneWords(credential))]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
        <p class="about id">{userId}</p>
      </div>
      <Confirmed
        action={t('Delete')}
        of={name}
        question={t('The phone will no longer open the doors of this credential. Delete it?')}
        isBusy={deleting.isBusy}
        onConfirm={() => void remove()}
      />
      <Failure failure={deleting.failure} />
    </article>
  );
}

function matches(credential: CredentialView, site: string, search: string): boolean {
  const { userId, mobileNumber, cardNumber, siteId, siteName } = credential;
  const needle = search.trim().toLowerCase();
  const isOfSite = site === EVERY_SITE || siteId === site;
  const texts = [userId, mobileNumber, String(cardNumber ?? ''), siteName ?? ''];
  return isOfSite && texts.some((text) => text.toLowerCase().includes(needle));
}

function cardWords({ kind, cardFormat, facilityCode, cardNumber }: CredentialView): string {
  return kind === 'raw'
    ? t('Raw credential')
    : t('Card {format}, {number}', {
        format: cardFormat ?? '?',
        number: `${String(facilityCode ?? '?')}-${String(cardNumber ?? '?')}`,
      });
}

function countWords(found: number, all: number): string {
  if (all === 0) {
    return t('There are no credentials yet.');
  }
  const count =
    found === all
      ? t('{count, plural, one {# credential} other {# credentials}}.', { count: all })
      : t('{found} of {all}.', { found, all });
  return found > MAX_ROWS
    ? `${count} ${t('The first {count} are shown; search to see others.', { count: MAX_ROWS })}`
    : count;
}
