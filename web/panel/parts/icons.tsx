// The few drawings of the pages. They repeat the words beside them, so they are hidden from people who listen to the page.
import type { JSX, VNode } from 'preact';
import type { BoltState } from '../../../src/domain/locks/bolt.ts';

function Drawing(props: { readonly children: JSX.Element | readonly JSX.Element[] }): VNode {
  return (
    <svg class="drawing" viewBox="0 0 24 24" aria-hidden="true">
      {props.children}
    </svg>
  );
}

/** A single stroke. */
function drawn(path: string): () => VNode {
  return () => (
    <Drawing>
      <path d={path} />
    </Drawing>
  );
}

/** A padlock: closed, open, with a bar across for a jam, dashed when the position is unknown. */
export function BoltIcon({ bolt }: { readonly bolt: BoltState }): VNode {
  const shackle = bolt === 'unsecured' ? 'M8 11V7a4 4 0 0 1 7.6-1.7' : 'M8 11V8a4 4 0 0 1 8 0v3';
  return (
    <Drawing>
      <path d={shackle} class={bolt === 'unknown' ? 'dashed' : ''} />
      <rect x="5.5" y="11" width="13" height="9" rx="2.2" class={bolt === 'unknown' ? 'dashed' : 'solid'} />
      <path
        d={bolt === 'jammed' ? 'M4 21.5 20 5.5' : 'M12 14.6v2'}
        class={bolt === 'jammed' ? 'bar' : 'hole'}
      />
    </Drawing>
  );
}

/** `level` from 0 to 100; null: not known. */
export function BatteryIcon({ level }: { readonly level: number | null }): VNode {
  return (
    <Drawing>
      <rect x="3" y="8" width="16" height="9" rx="2" />
      <path d="M21.5 11v3" />
      <rect x="5" y="10" width={String((12 * (level ?? 0)) / 100)} height="5" rx="0.5" class="solid" />
    </Drawing>
  );
}

export function WirelessIcon({ isOn }: { readonly isOn: boolean }): VNode {
  return (
    <Drawing>
      <path d="M4 10.5a11.5 11.5 0 0 1 16 0M7 14a7 7 0 0 1 10 0" />
      <circle cx="12" cy="17.8" r="1" class="solid" />
      <path d={isOn ? '' : 'M4.5 20 19.5 5'} />
    </Drawing>
  );
}

export const CheckIcon = drawn('m5.5 12.5 4.3 4.3L18.5 8');

/** Three dots: there is more. */
export function MoreIcon(): VNode {
  return (
    <Drawing>
      <circle cx="5" cy="12" r="1" class="solid" />
      <circle cx="12" cy="12" r="1" class="solid" />
      <circle cx="19" cy="12" r="1" class="solid" />
    </Drawing>
  );
}

export const CloseIcon = drawn('m6 6 12 12M18 6 6 18');

/** The plugin's own sign: a key in a keyhole's light. */
export function KeyIcon(): VNode {
  return (
    <Drawing>
      <circle cx="8.2" cy="12" r="4.2" />
      <path d="M12.4 12H21M18 12v3.2M15 12v2.2" />
    </Drawing>
  );
}

export const HouseIcon = drawn('M4 11.5 12 5l8 6.5M6.5 10v9h11v-9');

export function ClockIcon(): VNode {
  return (
    <Drawing>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.5V12l3 2" />
    </Drawing>
  );
}

export function CalendarIcon(): VNode {
  return (
    <Drawing>
      <rect x="4.5" y="6" width="15" height="13.5" rx="2" />
      <path d="M4.5 10.5h15M8.5 4v3.5M15.5 4v3.5" />
    </Drawing>
  );
}
