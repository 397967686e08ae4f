// Where the other readers of calendars are: one folder, set up by `install.ts`.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** It survives a fresh checkout, so it lies beside the caches of other tools. */
export const FOLDER =
  process.env['LATCHKEY_CALENDARS'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'homebridge-latchkey', 'calendars');

export const PYTHON = join(FOLDER, 'bin', 'python');

export const PYTHON_PACKAGES = ['icalendar==7.3.0', 'recurring-ical-events==3.8.2', 'ical==14.3.1', 'tzdata'];

export const NODE_PACKAGE = 'node-ical@0.27.2';
