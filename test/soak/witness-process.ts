// A program that prints its view of time: run with Node's own clock and with one that leaps, it has to print the same.
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from 'undici';

/** By how much every delay is longer than it would have to be, and a server that takes its time. */
const [scaleText = '1', url = ''] = process.argv.slice(2);
const scale = Number(scaleText);
const startedAt = Date.now();
const startedOn = performance.now();
const seen: unknown[] = [];

function see(name: string): void {
  seen.push({
    name,
    wallMs: (Date.now() - startedAt) / scale,
    dateMs: (new Date().getTime() - startedAt) / scale,
    monotonicMs: (performance.now() - startedOn) / scale,
  });
}

/** Which comes first: the answer, or the end of a deadline that a true clock would not reach. */
async function race(): Promise<string> {
  const deadline = Promise.withResolvers<string>();
  const timer = setTimeout(() => {
    deadline.resolve('deadline');
  }, 60_000);
  const answer = request(url).then(async ({ body }) => body.text());
  const first = await Promise.race([answer, deadline.promise]);
  clearTimeout(timer);
  return first;
}

setTimeout(see, 120 * scale, 'set first, due last');
setTimeout(see, 40 * scale, 'due first');
clearTimeout(setTimeout(see, 50 * scale, 'cleared'));
const renewed = setTimeout(see, 60 * scale, 'renewed');
setTimeout(() => renewed.refresh(), 30 * scale);
let beats = 0;
const beat = setInterval(() => {
  beats += 1;
  see(`beat ${String(beats)}`);
  if (beats === 3) {
    clearInterval(beat);
  }
}, 25 * scale);
await wait(140 * scale);
see('promised');
await promisify(setTimeout)(20 * scale);
see('promised otherwise');
const first = await race();
process.stdout.write(`${JSON.stringify({ seen, first, hasRef: renewed.hasRef() })}\n`);
process.exit();
