// A recording: the first moment and every request since, one JSON value a line, enough to live it through again.
import type { RecordedRequest, RequestLog } from './request-log.ts';
import type { Scenario } from './scenario.ts';

/** The first line. */
export interface RecordingHead {
  readonly recording: 1;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly scenario: Scenario & { readonly seed: string };
}

/** The log as JSON lines, the head first. */
export function recordingText(simulation: {
  readonly startedAt: number;
  readonly scenario: Scenario & { readonly seed: string };
  readonly log: RequestLog;
}): string {
  const head: RecordingHead = {
    recording: 1,
    startedAt: new Date(simulation.startedAt).toISOString(),
    scenario: simulation.scenario,
  };
  const lines: readonly (RecordingHead | RecordedRequest)[] = [head, ...simulation.log.entries()];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
