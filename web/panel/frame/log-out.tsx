// The end of logins to the dashboard: of this browser, of another one in the list, or of every one.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { message } from '../../../src/domain/language/message.ts';
import { deviceWords, lastUsedWords, roleWords } from '../../../src/words/logins.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Confirmed, Failure, Part } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import type { PageResults } from '../state/transport.ts';

const LIMITED = {
  all: null,
  codes: message('This login is for guests and their codes only.'),
  look: message('This login may only look.'),
} as const;

export function LogOut(): VNode | null {
  const { logout, login, may } = usePageContext();
  const leaving = useAction();
  const limit = LIMITED[login()?.role ?? 'all'];
  if (logout === null) {
    return null;
  }
  return (
    <Part title={t('Logins')}>
      {limit !== null && <p>{t(limit)}</p>}
      {may('panel.logins') && <Logins />}
      <p class="about">
        {t(
          'A browser stays logged in for a day at most, also after a restart, and until the dashboard was closed for an hour.',
        )}
      </p>
      <div class="pushes">
        <Button isBusy={leaving.isBusy} onPress={() => void leaving.run(async () => logout(false))}>
          {t('Log out')}
        </Button>
        {may('panel.logins') && (
          <Confirmed
            action={t('Log out everywhere')}
            of={t('all browsers')}
            question={t('Every browser has to log in again, this one too. Log out everywhere?')}
            isBusy={leaving.isBusy}
            onConfirm={() => void leaving.run(async () => logout(true))}
          />
        )}
      </div>
      <Failure failure={leaving.failure} />
    </Part>
  );
}

/** Every login with its device and last use; another one can be ended. */
function Logins(): VNode {
  const { call, login } = usePageContext();
  const [logins, setLogins] = useState<PageResults['panel.logins']>([]);
  const working = useAction();
  const read = async (): Promise<void> => setLogins(await call('panel.logins'));
  useEffect(() => void working.run(read), []);
  return (
    <>
      <ul class="logins" aria-label={t('Logins')}>
        {logins.map((one) => (
          <li key={one.id}>
            <p>
              <strong>{deviceWords(one)}</strong>{' '}
              {one.id === login()?.id && <span class="tag">{t('this browser')}</span>}{' '}
              <span class="tag">{roleWords(one.role)}</span> <span class="about">{lastUsedWords(one)}</span>
            </p>
            {one.id !== login()?.id && (
              <Button
                of={deviceWords(one)}
                isBusy={working.isBusy}
                onPress={() =>
                  void working.run(async () => {
                    await call('panel.end-login', { id: one.id });
                    await read();
                  })
                }
              >
                {t('End this login')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Failure failure={working.failure} />
    </>
  );
}
