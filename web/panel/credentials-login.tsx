// The login of the credentialing interface: asked for once, kept where only the plugin reads it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CredentialsView } from '../../src/panel/credentials-view.ts';
import { Field } from './fields.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure, Part } from './pieces.tsx';

export function CredentialsLogin(props: { readonly onLogin: (view: CredentialsView) => void }): VNode {
  const { onLogin } = props;
  const { call } = usePageContext();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [showsFaults, setShowsFaults] = useState(false);
  const entering = useAction();
  const enter = async (): Promise<void> => {
    setShowsFaults(true);
    if (username.trim() !== '' && password !== '') {
      await entering.run(async () => {
        onLogin(await call('credentials.login', { username: username.trim(), password }));
      });
    }
  };
  return (
    <Part title="Log in to the interface">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <Field
          label="User name"
          help="Your partner agreement names it. It is not the account of the lock’s app."
          value={username}
          fault={username.trim() === '' ? 'Required.' : null}
          showsFault={showsFaults}
          onInput={setUsername}
        />
        <Field
          label="Password"
          help="Stored in a private file, not in config.json, and never displayed again."
          value={password}
          fault={password === '' ? 'Required.' : null}
          showsFault={showsFaults}
          isSecret
          onInput={setPassword}
        />
        <Failure failure={entering.failure} />
        <div class="pushes">
          <Button kind="main" isBusy={entering.isBusy} onPress="submit">
            Log in
          </Button>
        </div>
      </form>
    </Part>
  );
}
