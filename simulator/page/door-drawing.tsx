// A door, its bolt and its frame, drawn in their state: the bolt in the frame, out of it, half way, or stuck.
import type { VNode } from 'preact';
import type { LockInspection } from '../src/world/world-types.ts';

/** The drawing alone; the component that shows it repeats its state in words. */
export function DoorDrawing({ lock }: { readonly lock: LockInspection }): VNode {
  const isLever = lock.type === 'WifiLever';
  return (
    <svg
      class="door"
      viewBox="0 -28 280 160"
      aria-hidden="true"
      data-bolt={lock.bolt}
      data-moving={lock.movingTo !== null}
      data-powered={lock.powered}
    >
      <rect class="wall" x="198" y="-28" width="82" height="160" />
      <rect class="frame" x="192" y="-28" width="18" height="160" />
      <rect class="strike" x="192" y="39" width="18" height="26" rx="2" />
      <rect class="leaf" x="0" y="-28" width="186" height="160" />
      <path class="panel" d="M18 -28v160M168 -28v50M168 82v50" />
      <rect class="bolt" x="138" y="43" width="42" height="18" rx="3" />
      <rect class="case" x="114" y="24" width="60" height="56" rx="10" />
      <g class="thumbturn">
        <circle cx="144" cy="52" r="17" />
        {isLever ? <path d="M144 52h-38" /> : <path d="M144 38v28" />}
      </g>
      <circle class="lamp" cx="166" cy="32" r="3" />
      {lock.jamsLeft !== 0 && <path class="jam" d="M184 30l8 8-8 8 8 8-8 8 8 8-8 8" />}
    </svg>
  );
}
