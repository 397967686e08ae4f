// A user name and a password that the plugin is to keep, both needed.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { Form } from '../../shared/form.tsx';
import { Field } from './fields.tsx';
import { Button } from './pieces.tsx';

export interface TypedLogin {
  readonly username: string;
  readonly password: string;
}

export function LoginForm(props: {
  /** The one that is saved, else empty. */
  readonly username: string;
  /** Whose name it is, where that could be mistaken. */
  readonly help?: string;
  /** The text of the button. */
  readonly action: string;
  readonly isBusy: boolean;
  /** Resolves with whether it was taken. */
  readonly onSave: (login: TypedLogin) => Promise<boolean>;
}): VNode {
  const [username, setUsername] = useState(props.username);
  const [password, setPassword] = useState('');
  const [showsFaults, setShowsFaults] = useState(false);
  const submit = async (): Promise<void> => {
    setShowsFaults(true);
    const login = { username: username.trim(), password };
    if (login.username !== '' && password !== '' && (await props.onSave(login))) {
      setPassword('');
      setShowsFaults(false);
    }
  };
  return (
    <Form noValidate onSubmit={() => void submit()}>
      <Field
        label={t('User name')}
        {...(props.help === undefined ? {} : { help: props.help })}
        value={username}
        fault={username.trim() === '' ? t('Required.') : null}
        showsFault={showsFaults}
        onInput={setUsername}
      />
      <Field
        label={t('Password')}
        help={t('Stored in a private file, not in config.json, and never displayed again.')}
        value={password}
        fault={password === '' ? t('Required.') : null}
        showsFault={showsFaults}
        isSecret
        onInput={setPassword}
      />
      <div class="pushes">
        <Button kind="main" isBusy={props.isBusy} onPress="submit">
          {props.action}
        </Button>
      </div>
    </Form>
  );
}
