// Our log in Homebridge's: one line an entry, and debug lines that the `debug` option turns on.
import type { Logging } from 'homebridge';
import type { Log } from '../support/log.ts';

/** `debug`: whether debug lines are wanted without starting Homebridge with -D. */
export function homebridgeLog(logging: Logging, debug: boolean): Log {
  return {
    debug: (line) => {
      if (debug) {
        logging.info(line);
      } else {
        logging.debug(line);
      }
    },
    info: (line) => {
      logging.info(line);
    },
    warn: (line) => {
      logging.warn(line);
    },
    error: (line) => {
      logging.error(line);
    },
  };
}
