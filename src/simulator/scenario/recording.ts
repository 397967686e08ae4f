// A recording: the first moment and every request since, one JSON value a line, enough to live it through again.
import type { RecordedRequest, RequestLog } from './request-log.ts';
import type { SeededScenario } from './scenario.ts';

/** The first line. */
export interface RecordingHead {
  readonly recording: 1;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly scenario: SeededScenario;
}

/** The log as JSON lines, the head first. */
export function recordingText(house: {
  readonly startedAt: number;
  readonly scenario: SeededScenario;
  readonly log: RequestLog;
}): string {
  const head: RecordingHead = {
    recording: 1,
    startedAt: new Date(house.startedAt).toISOString(),
    scenario: house.scenario,
  };
  const lines: readonly (RecordingHead | RecordedRequest)[] = [head, ...house.log.entries()];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
