// Installs the real Homebridge UI beside its tests.
import { installBeside } from '../harness/install-beside.ts';

installBeside({ folder: import.meta.dirname, what: 'the Homebridge UI' });
