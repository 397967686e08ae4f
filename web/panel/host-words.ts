// What runs the plugin, in the words of the page: Homebridge, or the service of `latchkey serve`.
import type { AccountState } from './account-state.ts';

export interface HostWords {
  /** As in "restart Homebridge". */
  readonly name: string;
  /** As in "another Homebridge process". */
  readonly process: string;
}

const HOMEBRIDGE: HostWords = { name: 'Homebridge', process: 'Homebridge process' };
const SERVICE: HostWords = { name: 'the service', process: 'process' };

export function hostWords({ status }: Pick<AccountState, 'status'>): HostWords {
  return status?.host === 'service' ? SERVICE : HOMEBRIDGE;
}
