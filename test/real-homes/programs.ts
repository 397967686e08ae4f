// Where the real programs of a home are: one folder, set up by `install.ts`.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** 1.6 GB that survives a fresh checkout, so it lies beside the caches of other tools; not in a folder that is emptied at a start. */
export const PROGRAMS_FOLDER =
  process.env['LATCHKEY_HOMES'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'homebridge-latchkey', 'homes');

/** Libraries that packages look for by the usual variable, and a machine need not have. */
export const LIBRARIES_FOLDER = join(PROGRAMS_FOLDER, 'libraries');

/** A Python environment with its packages; the versions are those that the documents name. */
export interface Programs {
  readonly folder: string;
  readonly packages: readonly string[];
}

/** Home Assistant with what its MQTT, HomeKit and Matter integrations ask for; aiohomekit alone is used from here, too. */
export const HOME_ASSISTANT: Programs = {
  folder: join(PROGRAMS_FOLDER, 'home-assistant'),
  packages: [
    'homeassistant==2026.11.0',
    'paho-mqtt==2.1.0',
    'aiohomekit==4.0.1',
    'zeroconf==0.152.0',
    'matter-python-client==1.5.5',
    'home-assistant-frontend==20261028.4',
    'aiohasupervisor==0.8.1',
    'aiousbwatcher==1.1.2',
    'serialx==1.15.1',
    'fnv-hash-fast==2.0.3',
    'matter-ble-proxy==0.7.1',
    'numpy==2.3.2',
    'psutil-home-assistant==0.0.1',
    'pyroute2==0.9.6',
    'python-otbr-api==3.1.0',
    'PyTurboJPEG==1.8.3',
  ],
};

/** The Matter SDK's own controller, as a server for Home Assistant and for tests. Its packages contradict those above. */
export const MATTER_SERVER: Programs = {
  folder: join(PROGRAMS_FOLDER, 'matter-server'),
  packages: ['python-matter-server[server]==8.1.2'],
};

/** The Python of such an environment. */
export function pythonOf({ folder }: Programs): string {
  return join(folder, 'bin', 'python');
}
