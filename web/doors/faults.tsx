// Faults of calls and of deliveries: to switch on, to see, and to switch off.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Snapshot } from '../../src/simulator/control/snapshot.ts';
import { Choice } from '../shared/labelled.tsx';
import { useAct } from './control-context.ts';
import { CALL_FAULTS, DELIVERY_FAULTS, OCCASIONS, PLACES } from './fault-choices.ts';
import { Button, Part } from './pieces.tsx';

const names = (choices: readonly { readonly name: string }[]): readonly string[] =>
  choices.map(({ name }) => name);

export function Faults(props: {
  readonly faults: Snapshot['faults'];
  readonly deliveryFaults: Snapshot['deliveryFaults'];
}): VNode {
  return (
    <Part title="Faults">
      <CallFaultForm />
      <Armed label="Faults of calls" armed={props.faults} clear="clear-faults" />
      <DeliveryFaultForm />
      <Armed label="Faults of webhooks" armed={props.deliveryFaults} clear="clear-delivery-faults" />
    </Part>
  );
}

function CallFaultForm(): VNode {
  const act = useAct();
  const [fault, setFault] = useState(0);
  const [place, setPlace] = useState(0);
  const [occasion, setOccasion] = useState(0);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const path = PLACES[place]?.value;
        void act('house/inject-fault', {
          ...CALL_FAULTS[fault]?.value,
          often: OCCASIONS[occasion]?.value,
          ...(path === undefined ? {} : { path }),
        });
      }}
    >
      <Choice label="Fault of calls" names={names(CALL_FAULTS)} chosen={fault} onChoose={setFault} />
      <Choice label="Where" names={names(PLACES)} chosen={place} onChoose={setPlace} />
      <Choice label="How often" names={names(OCCASIONS)} chosen={occasion} onChoose={setOccasion} />
      <button type="submit" aria-label="Switch on, fault of calls">
        Switch on
      </button>
    </form>
  );
}

function DeliveryFaultForm(): VNode {
  const act = useAct();
  const [fault, setFault] = useState(0);
  const [occasion, setOccasion] = useState(0);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void act('house/fail-deliveries', {
          ...DELIVERY_FAULTS[fault]?.value,
          often: OCCASIONS[occasion]?.value,
        });
      }}
    >
      <Choice label="Fault of webhooks" names={names(DELIVERY_FAULTS)} chosen={fault} onChoose={setFault} />
      <Choice label="How often" names={names(OCCASIONS)} chosen={occasion} onChoose={setOccasion} />
      <button type="submit" aria-label="Switch on, fault of webhooks">
        Switch on
      </button>
    </form>
  );
}

interface ArmedOne {
  readonly id: string;
  readonly fault: object;
  readonly left: number | null;
}

/** What is in force, each with the switch that ends it. */
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
          <Button
            of={id}
            onPress={() => {
              void act(`house/${props.clear}`, { id });
            }}
          >
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
