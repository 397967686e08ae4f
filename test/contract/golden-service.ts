// A service that answers with golden answers, one after the other, and notes how each question differed from the golden one.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GoldenExchange } from './golden/golden-exchange.ts';
import { type Bindings, differences, fill, fillAll } from './unify.ts';

export interface GoldenService {
  readonly url: string;
  /** Differences so far. */
  readonly found: string[];
  readonly close: () => Promise<void>;
}

/** The last exchange answers every later question. `valuesOf`: values of placeholders, by the address of the service. */
export async function playGolden(
  exchanges: readonly [GoldenExchange, ...GoldenExchange[]],
  valuesOf: (url: string) => Bindings,
): Promise<GoldenService> {
  const found: string[] = [];
  const [first, ...left] = exchanges;
  let current = first;
  let isFirst = true;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      current = isFirst ? first : (left.shift() ?? current);
      isFirst = false;
      const values = valuesOf(url);
      found.push(...questionDifferences(current, request, body, values));
      const { status, headers, json } = current.answer;
      for (const [name, text] of Object.entries(headers)) {
        response.setHeader(name, fill(text, values));
      }
      response.statusCode = status;
      return response.end(json === undefined ? '' : JSON.stringify(fillAll(json, values)));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${String(port)}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  };
  return { url, found, close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function questionDifferences(
  { request: golden }: GoldenExchange,
  real: IncomingMessage,
  body: string,
  values: Bindings,
): string[] {
  const names = Object.keys(golden.headers);
  const headers = Object.fromEntries(names.map((name) => [name, real.headers[name]]));
  return [
    ...differences(golden.method, real.method, values, 'method'),
    ...differences(golden.path, real.url, values, 'path'),
    ...differences(golden.headers, headers, values, 'headers'),
    ...(golden.form === undefined
      ? differences(golden.json, body === '' ? undefined : JSON.parse(body), values, 'body')
      : differences(golden.form, Object.fromEntries(new URLSearchParams(body)), values, 'form')),
  ];
}
