// MQTT: whether the broker is connected, what to do when it is not, and a login that is kept by the plugin.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { MqttView } from '../../src/panel/mqtt-view.ts';
import { Field } from './fields.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Confirmed, Failure, Notice, Part } from './pieces.tsx';

const STATES: Readonly<Record<MqttView['state'], string>> = {
  off: 'Not connected.',
  starting: 'Starting …',
  connecting: 'Connecting …',
  connected: 'Connected.',
  waiting: 'Not connected. Trying again.',
};

export function MqttPage(): VNode {
  const { state } = usePageContext();
  const mqtt = state['mqtt.status'];
  return (
    <>
      <p>Optional. Shows the locks to Home Assistant and other programs through an MQTT broker.</p>
      {mqtt === null ? <p>Loading …</p> : mqtt.broker === null ? <SwitchedOff /> : <Wanted mqtt={mqtt} />}
    </>
  );
}

function SwitchedOff(): VNode {
  const { place } = usePageContext();
  return (
    <Notice tone="plain">
      <p>
        MQTT is off. To turn it on, set <code>mqtt.url</code>{' '}
        {place === 'panel' ? 'in config.json' : 'under “All settings”'} and restart Homebridge.
      </p>
    </Notice>
  );
}

function Wanted({ mqtt }: { readonly mqtt: MqttView }): VNode {
  return (
    <>
      <Part title="Connection">
        <dl class="facts">
          <div>
            <dt>Broker</dt>
            <dd>
              {mqtt.broker}
              {mqtt.encrypted ? '' : ' (not encrypted)'}
            </dd>
          </div>
          <div>
            <dt>State</dt>
            <dd class={mqtt.state === 'connected' ? 'good' : 'plain'}>{STATES[mqtt.state]}</dd>
          </div>
          <div>
            <dt>Home Assistant</dt>
            <dd>{mqtt.homeAssistant ? 'The locks are announced.' : 'Off (mqtt.homeAssistant).'}</dd>
          </div>
        </dl>
        {mqtt.trouble !== null && (
          <Notice tone="warning">
            <p>{mqtt.trouble}</p>
          </Notice>
        )}
      </Part>
      <Part title="Login">
        {mqtt.loginFrom === 'config' ? (
          <p>The login is set in config.json (user name {mqtt.username}). Change it there.</p>
        ) : (
          <Login mqtt={mqtt} />
        )}
      </Part>
    </>
  );
}

interface Entered {
  readonly username: string | null;
  readonly password: string | null;
}

function Login({ mqtt }: { readonly mqtt: MqttView }): VNode {
  const { call, read } = usePageContext();
  const saving = useAction();
  const save = async (login: Entered): Promise<boolean> =>
    saving.run(async () => {
      await call('mqtt.login', login);
      await read('mqtt.status');
    });
  return (
    <>
      <p>
        {mqtt.loginFrom === 'page' ? 'A login is saved.' : 'No login is saved. Not every broker needs one.'}
      </p>
      <LoginForm username={mqtt.username ?? ''} isBusy={saving.isBusy} onSave={save} />
      <Failure failure={saving.failure} />
      {mqtt.loginFrom === 'page' && (
        <Confirmed
          action="Forget"
          of="the login"
          question="Forget this login? The broker is then used without one."
          isBusy={saving.isBusy}
          onConfirm={() => {
            void save({ username: null, password: null });
          }}
        />
      )}
    </>
  );
}

function LoginForm(props: {
  readonly username: string;
  readonly isBusy: boolean;
  readonly onSave: (login: Entered) => Promise<boolean>;
}): VNode {
  const [username, setUsername] = useState(props.username);
  const [password, setPassword] = useState('');
  const [showsFaults, setShowsFaults] = useState(false);
  const submit = async (): Promise<void> => {
    setShowsFaults(true);
    if (
      username.trim() !== '' &&
      password !== '' &&
      (await props.onSave({ username: username.trim(), password }))
    ) {
      setPassword('');
      setShowsFaults(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="User name"
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
      <div class="pushes">
        <Button kind="main" isBusy={props.isBusy} onPress="submit">
          Save and connect
        </Button>
      </div>
    </form>
  );
}
