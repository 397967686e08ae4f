// Adds the features, as each process does at its start: a test that does not import one runs with them all.
import { addCommands } from '../../src/start/commands.ts';

addCommands();
