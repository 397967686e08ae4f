// Our log in Homebridge's: one line an entry, debug lines that the `debug` option turns on, and an end to floods.
import type { Logging } from 'homebridge';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { LogLineLimiter } from './log-line-limiter.ts';

/**
 * `debug`: whether debug lines are wanted without starting Homebridge with -D; then no line is left out. Warnings and
 * errors never are.
 */
export function homebridgeLog(logging: Logging, debug: boolean, clock: Clock): Log {
  const bucket = new LogLineLimiter(clock);
  return {
    debug: (line) => {
      if (debug) {
        logging.info(line);
      } else {
        logging.debug(line);
      }
    },
    info: (line) => {
      const leftOut = debug ? 0 : bucket.take();
      if (leftOut === null) {
        return;
      }
      if (leftOut > 0) {
        logging.info(`${String(leftOut)} lines were left out here: there were too many at a time.`);
      }
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
