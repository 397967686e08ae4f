// Writes to Homebridge's log: one line per entry, debug lines by the `debug` option, and no floods.
import type { Logging } from 'homebridge';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { TokenBucket, type TokenBucketLimits } from '../support/token-bucket.ts';

/** A burst of over two lines for every lock of a full bridge; then ten a second (our choice). */
const LINES: TokenBucketLimits = { burst: 400, everyMs: 100 };

/** `debug`: debug lines are written without Homebridge's -D, and no line is left out. Warnings and errors never are. */
export function homebridgeLog(logging: Logging, debug: boolean, clock: Clock): Log {
  // A flood of events must neither fill the disk nor delay answers to Home.
  const bucket = new TokenBucket(clock, LINES);
  let leftOut = 0;
  const news = (compose: () => string): void => {
    if (!debug && bucket.take() !== null) {
      leftOut += 1;
      return;
    }
    if (leftOut > 0) {
      logging.info(
        `${String(leftOut)} lines were left out: too many at once. Turn on "debug" to see all of them.`,
      );
      leftOut = 0;
    }
    logging.info(compose());
  };
  return {
    news,
    debug: (line) => {
      if (debug) {
        logging.info(line);
      } else {
        logging.debug(line);
      }
    },
    info: (line) => news(() => line),
    warn: (line) => logging.warn(line),
    error: (line) => logging.error(line),
  };
}
