// MQTT: whether the broker is connected, the next step when it is not, and a login that the plugin stores.

import type { VNode } from 'preact';
import type { MqttView } from '../../../src/panel/views/mqtt.ts';
import { hostWords } from '../../../src/words/host.ts';
import { LoginForm, type TypedLogin } from '../parts/login-form.tsx';
import { OptionName, OptionPlace } from '../parts/option-place.tsx';
import { Confirmed, Fact, Failure, Notice, Part } from '../parts/pieces.tsx';
import { isPluginLost } from '../state/account-state.ts';
import { useAction, usePageContext } from '../state/page-context.ts';

const STATES: Readonly<Record<MqttView['state'], string>> = {
  off: 'Not connected.',
  starting: 'Starting …',
  connecting: 'Connecting …',
  connected: 'Connected.',
  waiting: 'Not connected. Trying again.',
};

const TONES: Readonly<Record<MqttView['state'], 'plain' | 'good' | 'warning'>> = {
  off: 'plain',
  starting: 'plain',
  connecting: 'plain',
  connected: 'good',
  waiting: 'warning',
};

function toneOf({ state, trouble }: MqttView): 'plain' | 'good' | 'warning' {
  return state === 'connected' && trouble !== null ? 'warning' : TONES[state];
}

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
  const { state } = usePageContext();
  return (
    <Notice tone="plain">
      <p>
        MQTT is off. To turn it on, set <OptionName option="mqtt.url" label="Broker" /> <OptionPlace />, then
        restart {hostWords(state).name}.
      </p>
    </Notice>
  );
}

function Wanted({ mqtt }: { readonly mqtt: MqttView }): VNode {
  const { state } = usePageContext();
  const isLost = isPluginLost(state);
  return (
    <>
      <Part title="Connection">
        <dl class="facts">
          <Fact name="Broker" tone="plain">
            {mqtt.broker}
            {mqtt.encrypted ? '' : ' (not encrypted)'}
          </Fact>
          <Fact name="State" tone={isLost ? 'plain' : toneOf(mqtt)}>
            {isLost ? 'Unknown until the plugin answers again.' : STATES[mqtt.state]}
          </Fact>
          <Fact name="Home Assistant" tone="plain">
            {mqtt.homeAssistant
              ? 'The locks are announced.'
              : 'Off. Turn on “Announce the locks to Home Assistant” in the settings.'}
          </Fact>
          {mqtt.topics !== null && (
            <Fact name="Topics" tone="plain">
              Begin with {mqtt.topics}
            </Fact>
          )}
          {refusals(mqtt) > 0 && (
            <Fact name="Refused commands" tone="warning">
              {refusals(mqtt)} since the start. The log says why.
            </Fact>
          )}
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

function refusals({ refused }: MqttView): number {
  return Object.values(refused).reduce<number>((sum, count) => sum + count, 0);
}

function Login({ mqtt }: { readonly mqtt: MqttView }): VNode {
  const { call, read } = usePageContext();
  const saving = useAction();
  const save = async (
    login: { readonly [Name in keyof TypedLogin]: TypedLogin[Name] | null },
  ): Promise<boolean> =>
    saving.run(async () => {
      await call('mqtt.login', login);
      await read('mqtt.status');
    });
  return (
    <>
      <p>
        {mqtt.loginFrom === 'page' ? 'A login is saved.' : 'No login is saved. Not every broker needs one.'}
      </p>
      <LoginForm
        username={mqtt.username ?? ''}
        action="Save and connect"
        isBusy={saving.isBusy}
        onSave={save}
      />
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
