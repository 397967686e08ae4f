// The login of the credentialing interface: asked for once, kept where only the plugin reads it.
import type { VNode } from 'preact';
import type { CredentialsView } from '../../../src/panel/views/credentials.ts';
import { t } from '../../../src/words/translate.ts';
import { LoginForm } from '../parts/login-form.tsx';
import { Failure, Part } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

export function CredentialsLogin(props: { readonly onLogin: (view: CredentialsView) => void }): VNode {
  const { onLogin } = props;
  const { call } = usePageContext();
  const entering = useAction();
  return (
    <Part title={t('Log in to the interface')}>
      <LoginForm
        username=""
        help={t('Your partner agreement names it. It is not the account of the lock’s app.')}
        action={t('Log in')}
        isBusy={entering.isBusy}
        onSave={async (login) => entering.run(async () => onLogin(await call('credentials.login', login)))}
      />
      <Failure failure={entering.failure} />
    </Part>
  );
}
