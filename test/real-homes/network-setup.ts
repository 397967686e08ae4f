// A network for the programs of a home: they find each other by multicast, which loopback does not carry.
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/** A bridge, since the announcer of Homebridge does not see a virtual cable; one of those gives the bridge a carrier. */
export const HOME_NETWORK = 'home0';

const COMMANDS = [
  `link add ${HOME_NETWORK} type bridge`,
  'link add home1 type veth peer name home2',
  `link set home1 master ${HOME_NETWORK}`,
  'link set home1 up',
  'link set home2 up',
  `addr add 192.168.44.1/24 dev ${HOME_NETWORK}`,
  `link set ${HOME_NETWORK} up`,
];

export default function setup(): void {
  const others = Object.keys(networkInterfaces()).filter((name) => name !== 'lo');
  if (others.includes(HOME_NETWORK)) {
    return;
  }
  if (others.length > 0) {
    throw new Error(
      'Homes need a network of their own (scripts/private-network.ts), which this system does not allow',
    );
  }
  for (const command of COMMANDS) {
    const { status, stderr } = spawnSync('ip', command.split(' '));
    if (status !== 0) {
      throw new Error(`ip ${command}: ${String(stderr)}`);
    }
  }
}
