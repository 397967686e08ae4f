// MQTT: whether the broker is connected, the next step when it is not, and a login that the plugin stores.

import type { VNode } from 'preact';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { MqttView } from '../../../src/features/home-assistant/panel/views.ts';
import { t } from '../../../src/words/translate.ts';
import { LoginForm, type TypedLogin } from '../parts/login-form.tsx';
import { OptionName, OptionPlace } from '../parts/option-place.tsx';
import { Confirmed, Fact, Failure, Notice, Part } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { hostOf, isPluginLost } from '../state/account-state.ts';
import { useChange, usePageContext } from '../state/page-context.ts';

const STATES: Readonly<Record<MqttView['state'], Message>> = {
  off: message('Not connected.'),
  starting: message('Starting …'),
  connecting: message('Connecting …'),
  connected: message('Connected.'),
  waiting: message('Not connected. Trying again.'),
};

const HOME_ASSISTANT = 'Home Assistant';

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
      <p>{t('Optional. Shows the locks to Home Assistant and other programs through an MQTT broker.')}</p>
      {mqtt === null ? (
        <p>{t('Loading …')}</p>
      ) : mqtt.broker === null ? (
        <SwitchedOff />
      ) : (
        <Wanted mqtt={mqtt} />
      )}
    </>
  );
}

function SwitchedOff(): VNode {
  const { state } = usePageContext();
  return (
    <Notice tone="plain">
      <p>
        {tRich(
          'MQTT is off. To turn it on, set {option} {place}, then restart {host, select, service {the service} other {Homebridge}}.',
          {
            option: <OptionName option="mqtt.url" label={t('Broker')} />,
            place: <OptionPlace />,
            host: hostOf(state),
          },
        )}
      </p>
    </Notice>
  );
}

function Wanted({ mqtt }: { readonly mqtt: MqttView }): VNode {
  const { state } = usePageContext();
  const isLost = isPluginLost(state);
  return (
    <>
      <Part title={t('Connection')}>
        <dl class="facts">
          <Fact name={t('Broker')} tone="plain">
            {mqtt.encrypted ? mqtt.broker : t('{broker} (not encrypted)', { broker: mqtt.broker ?? '' })}
          </Fact>
          <Fact name={t('State')} tone={isLost ? 'plain' : toneOf(mqtt)}>
            {isLost ? t('Unknown until the plugin answers again.') : t(STATES[mqtt.state])}
          </Fact>
          <Fact name={HOME_ASSISTANT} tone="plain">
            {mqtt.homeAssistant
              ? t('The locks are announced.')
              : t('Off. Turn on “{option}” in the settings.', {
                  option: t('Announce the locks to Home Assistant'),
                })}
          </Fact>
          {mqtt.topics !== null && (
            <Fact name={t('Topics')} tone="plain">
              {t('Begin with {topics}', { topics: mqtt.topics })}
            </Fact>
          )}
          {refusals(mqtt) > 0 && (
            <Fact name={t('Refused commands')} tone="warning">
              {t('{count} since the start. The log says why.', { count: refusals(mqtt) })}
            </Fact>
          )}
        </dl>
        {mqtt.trouble !== null && (
          <Notice tone="warning">
            <p>{t(mqtt.trouble)}</p>
          </Notice>
        )}
      </Part>
      <Part title={t('Login')}>
        {mqtt.loginFrom === 'config' ? (
          <p>
            {t('The login is set in config.json (user name {name}). Change it there.', {
              name: mqtt.username ?? '',
            })}
          </p>
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
  const { isBusy, failure, change } = useChange('mqtt.status');
  const save = async (
    login: { readonly [Name in keyof TypedLogin]: TypedLogin[Name] | null },
  ): Promise<boolean> => change('mqtt.login', login);
  return (
    <>
      <p>
        {t(
          mqtt.loginFrom === 'page' ? 'A login is saved.' : 'No login is saved. Not every broker needs one.',
        )}
      </p>
      <LoginForm
        username={mqtt.username ?? ''}
        action={t('Save and connect')}
        isBusy={isBusy}
        onSave={save}
      />
      <Failure failure={failure} />
      {mqtt.loginFrom === 'page' && (
        <Confirmed
          action={t('Forget')}
          of={t('the login')}
          question={t('Forget this login? The broker is then used without one.')}
          isBusy={isBusy}
          onConfirm={() => void save({ username: null, password: null })}
        />
      )}
    </>
  );
}
