// A recording: the first moment and every request since, one JSON value a line, enough to live it through again.
import { z } from 'zod';
import { type RecordedRequest, recordedRequestSchema } from './request-log.ts';
import { parseScenario, ScenarioError, type SeededScenario } from './scenario.ts';

export interface RecordingHead {
  readonly recording: 1;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly scenario: SeededScenario;
}

export interface Recording extends RecordingHead {
  readonly requests: readonly RecordedRequest[];
}

const headSchema = z.object({
  recording: z.literal(1, 'The first line must hold "recording": 1'),
  startedAt: z.iso.datetime(),
  scenario: z.looseObject({ seed: z.string() }),
});

export function writeRecording(service: {
  readonly startedAt: number;
  readonly scenario: SeededScenario;
  readonly log: { readonly entries: () => readonly RecordedRequest[] };
}): string {
  const head: RecordingHead = {
    recording: 1,
    startedAt: new Date(service.startedAt).toISOString(),
    scenario: service.scenario,
  };
  const lines: readonly (RecordingHead | RecordedRequest)[] = [head, ...service.log.entries()];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * Reads a recording. Throws a `ScenarioError` that names the line; one without its beginning is refused, because
 * later lines depend on it.
 */
export function readRecording(text: string, source: string): Recording {
  const [first = '', ...rest] = text.split('\n').filter((line) => line !== '');
  const head = readLine(first, headSchema, `${source}, line 1`);
  const requests = rest.map((line, index) =>
    readLine(line, recordedRequestSchema, `${source}, line ${String(index + 2)}`),
  );
  if (requests[0] !== undefined && requests[0].sequence !== 1) {
    throw new ScenarioError(`${source} has lost its first requests: record a shorter run`);
  }
  const scenario = parseScenario(head.scenario, source);
  return { ...head, scenario: { ...scenario, seed: head.scenario.seed }, requests };
}

function readLine<Value>(line: string, schema: z.ZodType<Value>, place: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new ScenarioError(`${place} is not JSON`, { cause: error });
  }
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new ScenarioError(`${place} is not part of a recording: ${z.prettifyError(result.error)}`);
  }
  return result.data;
}
