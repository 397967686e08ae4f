// Faults of calls, of deliveries and of calendars: to switch on, to see, and to switch off.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Form } from '../../web/shared/form.tsx';
import { Choice } from '../../web/shared/labelled.tsx';
import type { Snapshot } from '../src/control/snapshot.ts';
import { useAct } from './control.ts';
import { CALENDAR_FAULTS, CALL_FAULTS, DELIVERY_FAULTS, OCCASIONS, PLACES } from './fault-choices.ts';
import { Button, Part } from './pieces.tsx';

const names = (choices: readonly { readonly name: string }[]): readonly string[] =>
  choices.map(({ name }) => name);

export function Faults(props: {
  readonly faults: Snapshot['faults'];
  readonly deliveryFaults: Snapshot['deliveryFaults'];
  readonly calendarFaults: Snapshot['calendarFaults'];
}): VNode {
  const { faults, deliveryFaults, calendarFaults } = props;
  const count = faults.length + deliveryFaults.length + calendarFaults.length;
  return (
    <Part title="Faults" note={count === 0 ? '' : `${String(count)} on`}>
      {() => (
        <>
          <FaultForm label="Fault of calls" faults={CALL_FAULTS} action="inject-fault" places={PLACES} />
          <Armed label="Faults of calls" armed={faults} clear="clear-faults" />
          <FaultForm label="Fault of webhooks" faults={DELIVERY_FAULTS} action="fail-deliveries" />
          <Armed label="Faults of webhooks" armed={deliveryFaults} clear="clear-delivery-faults" />
          <FaultForm label="Fault of calendars" faults={CALENDAR_FAULTS} action="fail-calendar" />
          <Armed label="Faults of calendars" armed={calendarFaults} clear="clear-calendar-faults" />
        </>
      )}
    </Part>
  );
}

/** `places`: where the fault may strike, if it has a place. */
function FaultForm(props: {
  readonly label: string;
  readonly faults: readonly { readonly name: string; readonly value: object }[];
  readonly action: string;
  readonly places?: typeof PLACES;
}): VNode {
  const { label, faults, action, places = [] } = props;
  const act = useAct();
  const [fault, setFault] = useState(0);
  const [place, setPlace] = useState(0);
  const [occasion, setOccasion] = useState(0);
  return (
    <Form
      class="row"
      onSubmit={() => {
        const path = places[place]?.value;
        void act(`house/${action}`, {
          ...faults[fault]?.value,
          often: OCCASIONS[occasion]?.value,
          ...(path === undefined ? {} : { path }),
        });
      }}
    >
      <Choice label={label} names={names(faults)} chosen={fault} onChoose={setFault} />
      {places.length > 0 && <Choice label="Where" names={names(places)} chosen={place} onChoose={setPlace} />}
      <Choice label="How often" names={names(OCCASIONS)} chosen={occasion} onChoose={setOccasion} />
      <button type="submit" aria-label={`Switch on, ${label.toLowerCase()}`}>
        Switch on
      </button>
    </Form>
  );
}

interface ArmedOne {
  readonly id: string;
  readonly fault: object;
  readonly left: number | null;
}

/** The faults in force, each with the switch that ends it. */
function Armed(props: {
  readonly label: string;
  readonly armed: readonly ArmedOne[];
  readonly clear: string;
}): VNode {
  const act = useAct();
  return (
    <ul class="plain" aria-label={props.label}>
      {props.armed.map(({ id, fault, left }) => (
        <li key={id} class="armed">
          <span>
            {describe(fault)}
            {left !== null && `, ${String(left)} left`}
          </span>
          <Button of={id} onPress={() => void act(`house/${props.clear}`, { id })}>
            Switch off
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** `latency: delayMs 3000, when before-work, often always`. */
function describe(fault: object): string {
  const { kind, ...members } = Object.fromEntries<unknown>(Object.entries(fault));
  const said = Object.entries(members).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${String(kind)}: ${said.join(', ')}`;
}
