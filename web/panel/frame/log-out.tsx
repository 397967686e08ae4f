// The end of a login to the dashboard: of this browser, or of every one.
import type { VNode } from 'preact';
import { t } from '../../../src/words/translate.ts';
import { Button, Confirmed, Failure, Part } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

export function LogOut(): VNode | null {
  const { logout } = usePageContext();
  const leaving = useAction();
  return logout === null ? null : (
    <Part title={t('Login')}>
      <p>
        {t(
          'A browser stays logged in for a day at most, also after a restart, and until the dashboard was closed for an hour.',
        )}
      </p>
      <div class="pushes">
        <Button isBusy={leaving.isBusy} onPress={() => void leaving.run(async () => logout(false))}>
          {t('Log out')}
        </Button>
        <Confirmed
          action={t('Log out everywhere')}
          of={t('all browsers')}
          question={t('Every browser has to log in again, this one too. Log out everywhere?')}
          isBusy={leaving.isBusy}
          onConfirm={() => void leaving.run(async () => logout(true))}
        />
      </div>
      <Failure failure={leaving.failure} />
    </Part>
  );
}
