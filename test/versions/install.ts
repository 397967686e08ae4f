// Installs the other versions of Homebridge and Node beside their tests.
import { installBeside } from '../harness/install-beside.ts';

// The packages of Node fetch the program for this machine by a script.
installBeside({ folder: import.meta.dirname, what: 'Homebridge 1.x and Node 22 and 26', withScripts: true });
