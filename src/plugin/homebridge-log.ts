// Writes to Homebridge's log: one line per entry, debug lines by the `debug` option, and no floods.
import type { Logging } from 'homebridge';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { LogLineLimiter } from './log-line-limiter.ts';

/** `debug`: debug lines are written without Homebridge's -D, and no line is left out. Warnings and errors never are. */
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
        logging.info(
          `${String(leftOut)} lines were left out: too many at once. Turn on "debug" to see all of them.`,
        );
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
