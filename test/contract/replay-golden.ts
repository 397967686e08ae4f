// Sends a golden request to a real server and compares its answer with the golden one.
import type { GoldenExchange } from './golden/golden-exchange.ts';
import { type Bindings, differences, fill, fillAll } from './unify.ts';

/** How the answer differs; nothing when it does not. */
export async function replayGolden(
  { request, answer }: GoldenExchange,
  base: string,
  bindings: Bindings,
): Promise<string[]> {
  const filled = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, bindings)]));
  const { method, json, form, text } = request;
  const written = json === undefined ? text : JSON.stringify(fillAll(json, bindings));
  const body = form === undefined ? (written ?? null) : new URLSearchParams(filled(form)).toString();
  const response = await fetch(base + fill(request.path, bindings), {
    method,
    body,
    headers: filled(request.headers),
    redirect: 'manual',
  });
  const headers = Object.fromEntries(
    Object.keys(answer.headers).map((name) => [name, response.headers.get(name) ?? undefined]),
  );
  return [
    ...differences(answer.status, response.status, bindings, 'status'),
    ...differences(answer.headers, headers, bindings, 'headers'),
    ...(answer.json === undefined ? [] : differences(answer.json, await response.json(), bindings, 'body')),
  ];
}
