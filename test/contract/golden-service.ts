// A service that answers with golden answers, one after the other, and notes how each question differed from the golden one.
import { type SeenRequest, startLoopbackService } from '../stand-ins/service/loopback.ts';
import type { GoldenExchange } from './golden/golden-exchange.ts';
import { type Bindings, differences, fill, fillAll } from './unify.ts';

export interface GoldenService {
  readonly url: string;
  /** Differences so far. */
  readonly found: string[];
}

/**
 * The last exchange answers every later question. `valuesOf`: values of placeholders, by the address of the service, which
 * is closed when the test ends.
 */
export async function playGolden(
  exchanges: readonly [GoldenExchange, ...GoldenExchange[]],
  valuesOf: (url: string) => Bindings,
): Promise<GoldenService> {
  const found: string[] = [];
  const [first, ...left] = exchanges;
  let current: GoldenExchange | null = null;
  const { url } = await startLoopbackService((request, response) => {
    current = current === null ? first : (left.shift() ?? current);
    const values = valuesOf(url);
    found.push(...questionDifferences(current, request, values));
    const { status, headers, json } = current.answer;
    for (const [name, text] of Object.entries(headers)) {
      response.setHeader(name, fill(text, values));
    }
    response.writeHead(status).end(json === undefined ? '' : JSON.stringify(fillAll(json, values)));
  });
  return { url, found };
}

function questionDifferences(
  { request: golden }: GoldenExchange,
  { method, path, headers: real, body }: SeenRequest,
  values: Bindings,
): string[] {
  const headers = Object.fromEntries(Object.keys(golden.headers).map((name) => [name, real[name]]));
  return [
    ...differences(golden.method, method, values, 'method'),
    ...differences(golden.path, path, values, 'path'),
    ...differences(golden.headers, headers, values, 'headers'),
    ...(golden.form === undefined
      ? differences(golden.json, body === '' ? undefined : JSON.parse(body), values, 'body')
      : differences(golden.form, Object.fromEntries(new URLSearchParams(body)), values, 'form')),
  ];
}
