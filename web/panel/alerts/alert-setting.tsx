// The setting of one alert by its kind: a switch, a number of minutes, names, ways of moving the bolt, or one of some.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  ALERT_ROWS,
  type AlertName,
  type AlertValues,
  type ChoiceRow,
  MOST_MINUTES,
  MOVE_WAYS,
  WAYS,
} from '../../../src/domain/locks/alert-options.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { Choices, RadioChoices } from '../parts/edit-form.tsx';
import { Field, Fixed, Switch } from '../parts/fields.tsx';
import { areNames, isMinutes, namesOf } from './alert-values.ts';

/** Keeps the value of an alert. Never rejects. */
export type SetAlert = <Name extends AlertName>(name: Name, value: AlertValues[Name]) => Promise<void>;

interface SettingProps<Name extends AlertName = AlertName> {
  readonly name: Name;
  readonly values: AlertValues;
  /** Null: this page cannot set it. */
  readonly set: SetAlert | null;
}

/** Those of which each is drawn in its own way. */
type SwitchName = Exclude<AlertName, MinutesName | ChoiceName | 'unlockedByCode' | 'movedBy'>;
type MinutesName = 'leftUnlocked' | 'autoLockMinutes';
type ChoiceName = 'boltSensor' | 'automationSwitch';

export function AlertSetting({ name, values, set }: SettingProps): VNode {
  switch (name) {
    case 'leftUnlocked':
    case 'autoLockMinutes':
      return <Minutes name={name} values={values} set={set} />;
    case 'boltSensor':
    case 'automationSwitch':
      return <Chosen name={name} values={values} set={set} />;
    case 'unlockedByCode':
      return <Names name={name} values={values} set={set} />;
    case 'movedBy':
      return <Ways name={name} values={values} set={set} />;
    case 'jam':
    case 'lowBattery':
    case 'wrongCode':
    case 'keypadLockedOut':
    case 'activityAlarm':
    case 'guestArrived':
    case 'stayNotReady':
      return <Plain name={name} values={values} set={set} />;
  }
}

function Plain({ name, values, set }: SettingProps<SwitchName>): VNode {
  const { title, description } = ALERT_ROWS[name];
  return (
    <Switch
      label={t(title)}
      of={t('Alerts')}
      help={t(description)}
      isOn={values[name]}
      isFixed={set === null}
      isMarked={false}
      onSwitch={(isOn) => void set?.(name, isOn)}
    />
  );
}

/** Set when a person turns it on (our choice). */
const USUAL_MINUTES = 10;

function Minutes({ name, values, set }: SettingProps<MinutesName>): VNode {
  const { brief, help } = ALERT_ROWS[name];
  const minutes = values[name];
  const [typed, setTyped] = useState(String(minutes));
  const isTyped = isMinutes(Number(typed)) && Number(typed) > 0;
  const turn = (next: number): void => {
    setTyped(String(next));
    void set?.(name, next);
  };
  return (
    <>
      <Switch
        label={t(brief)}
        of={t('Alerts')}
        help={t(help)}
        isOn={minutes > 0}
        isFixed={set === null}
        isMarked={false}
        onSwitch={(isOn) => turn(isOn ? USUAL_MINUTES : 0)}
      />
      {minutes > 0 &&
        (set === null ? (
          <Fixed label={t('Minutes')} from={null}>
            {minutes}
          </Fixed>
        ) : (
          <Field
            label={t('Minutes')}
            kind="digits"
            value={typed}
            fault={isTyped ? null : t('Enter a whole number from 1 to {most}.', { most: MOST_MINUTES })}
            showsFault={false}
            onInput={setTyped}
            onDone={() => {
              if (isTyped && Number(typed) !== minutes) {
                void set(name, Number(typed));
              }
            }}
          />
        ))}
    </>
  );
}

function Names({ name, values, set }: SettingProps<'unlockedByCode'>): VNode {
  const { title, description } = ALERT_ROWS[name];
  const known = seriesWords(values[name]);
  const [typed, setTyped] = useState(known);
  const names = namesOf(typed);
  if (set === null) {
    return (
      <Fixed label={t(title)} from={null}>
        {known === '' ? t('None') : known}
      </Fixed>
    );
  }
  return (
    <Field
      label={t(title)}
      help={`${t(description)} ${t('Separate several by commas.')}`}
      value={typed}
      fault={areNames(names) ? null : t('At most 20 names, each of at most 24 letters.')}
      showsFault={false}
      onInput={setTyped}
      onDone={() => {
        if (areNames(names) && seriesWords(names) !== known) {
          void set(name, names);
        }
      }}
    />
  );
}

function Ways({ name, values, set }: SettingProps<'movedBy'>): VNode {
  const { title, description } = ALERT_ROWS[name];
  const chosen = values[name];
  return (
    <Choices legend={t(title)} fault={null} about={<p>{t(description)}</p>}>
      {WAYS.map((way) => (
        <Switch
          key={way}
          label={t(MOVE_WAYS[way].title)}
          of={t(title)}
          isOn={chosen.includes(way)}
          isFixed={set === null}
          isMarked={false}
          onSwitch={(isOn) => {
            const others = chosen.filter((one) => one !== way);
            void set?.(name, isOn ? [...others, way] : others);
          }}
        />
      ))}
    </Choices>
  );
}

function Chosen({ name, values, set }: SettingProps<ChoiceName>): VNode {
  const { title, help, choices }: ChoiceRow<string> = ALERT_ROWS[name];
  const chosen: string = values[name];
  const words = choices.find(([value]) => value === chosen)?.[1];
  if (set === null) {
    return (
      <Fixed label={t(title)} from={null}>
        {words === undefined ? chosen : t(words)}
      </Fixed>
    );
  }
  return (
    <Choices legend={t(title)} fault={null} about={<p>{t(help)}</p>}>
      <RadioChoices
        choices={choices.map(([value, label]) => [value, t(label)])}
        chosen={chosen}
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the choices of this very row
        onChoose={(value) => void set(name, value as AlertValues[ChoiceName])}
      />
    </Choices>
  );
}
