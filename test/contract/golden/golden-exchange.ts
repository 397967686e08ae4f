// What a golden message is: one request and its answer, transcribed from the wire contract, held against both sides.

/**
 * One exchange. In every text `{name}` stands for a value that differs from run to run: the first meeting fixes it, and
 * from then on it is that value. Names that begin with `time` stand for any instant in the contract's form.
 */
export interface GoldenExchange {
  /** The section of the contract. */
  readonly section: string;
  readonly server: 'authorization' | 'device' | 'credentialing';
  readonly request: GoldenRequest;
  readonly answer: GoldenAnswer;
}

export interface GoldenRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path after `{auth_url}`, `{base_url}` or `{credentials_base_url}`. */
  readonly path: string;
  /** The headers that matter, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** One of three forms of body, or none. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly text?: string;
}

export interface GoldenAnswer {
  readonly status: number;
  /** The headers that matter, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body; absent: it does not matter. */
  readonly json?: unknown;
}

/** The names of a table of ours, which has no others. */
export function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}

/** Specification, Endpoints: both headers are required by the device interface. */
export const HEADERS = {
  authorization: 'Bearer {accessToken}',
  'vendor-subscription-key': '{subscriptionKey}',
};

/** A request to the device interface: a question, or with a body one that changes something. */
export function toDevice(path: string, json?: unknown): GoldenRequest {
  return json === undefined
    ? { method: 'GET', path, headers: HEADERS }
    : { method: 'POST', path, headers: { ...HEADERS, 'content-type': 'application/json' }, json };
}

/** An exchange with the device interface, by a section of the wire contract. */
export function withDevice<Json>(
  section: string,
  request: GoldenRequest,
  status: number,
  json: Json,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = { status, headers, json };
  return { section: `wire contract ${section}`, server: 'device' as const, request, answer };
}
