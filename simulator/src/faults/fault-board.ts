// The faults in force for partner-facing calls, and which of them strike a call together.
import { Armory } from './armory.ts';
import { type Fault, fitsPath } from './fault.ts';

/** Kinds that replace the answer or do away with it: a call can meet only one of these. */
const ANSWERING: ReadonlySet<Fault['kind']> = new Set([
  'status',
  'cut',
  'html',
  'truncated-json',
  'huge-body',
  'redirect',
]);

/** Arm, list and clear faults here; `installFaults` makes them strike. */
export class FaultBoard extends Armory<Fault> {
  constructor(seed: string) {
    super(seed, 'fault');
  }

  /** The faults that strike one call; the path has no query. */
  strikeCall(method: string, path: string): readonly Fault[] {
    return this.strike(
      (fault, struckBefore) =>
        (fault.method === undefined || fault.method === method) &&
        (fault.path === undefined || fitsPath(fault.path, path)) &&
        !(ANSWERING.has(fault.kind) && struckBefore.some(({ kind }) => ANSWERING.has(kind))),
    );
  }
}
