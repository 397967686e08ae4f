// The credentialing interface: each of its eleven operations once, and its refusals (wire contract 8, 9, 11).
import type { GoldenExchange, GoldenRequest } from './golden-exchange.ts';

export const USER_ID = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
export const RAW_USER_ID = '2c1e4d0f-8b55-4a1f-8e6f-3a7c9a1b0d22';

const KEY = { 'vendor-subscription-key': '{subscriptionKey}' };
const HEADERS = { ...KEY, authorization: 'Bearer {credentialsToken}' };
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json' };

/** Wire contract 9: on every answer once the key has passed. */
const rate = (limit: number) => ({
  'x-rate-limit': String(limit),
  'x-rate-limit-remaining': '{remaining}',
  'x-rate-limit-reset': '{reset}',
});

const ATTRIBUTES = { siteId: '7', siteName: 'North block' };
const CARD = { mobileNumber: '+15550100123', cardFormat: '26A', facilityCode: 12, issueCode: 0 };

const CREDENTIALS = '/SMC/credentials/mobile';
const CREDENTIAL = `${CREDENTIALS}/{credentialId}`;
const PAYLOADS = `${CREDENTIAL}/notourpayloads`;
const PAYLOAD = { deviceSerialNumber: '0000A1B2C3', payload: 'AAEC' };

const RECORD = {
  credentialId: '{credentialId}',
  userId: USER_ID,
  payloadType: 'Basic',
  ...CARD,
  cardNumber: 1,
  isDownloaded: false,
  attributes: ATTRIBUTES,
};

const create: GoldenRequest = {
  method: 'POST',
  path: CREDENTIALS,
  headers: JSON_HEADERS,
  json: { userId: USER_ID, ...CARD, attributes: ATTRIBUTES },
};
const list: GoldenRequest = { method: 'GET', path: CREDENTIALS, headers: HEADERS };
const login: GoldenRequest = {
  method: 'POST',
  path: '/SMC/authentication/token',
  headers: { ...KEY, 'content-type': 'application/json' },
  json: { username: '{username}', password: '{password}' },
};

function answered(request: GoldenRequest, status: number, json?: unknown): GoldenExchange {
  const answer = { status, headers: rate(100), ...(json === undefined ? {} : { json }) };
  return { section: 'wire contract 8', server: 'credentialing', request, answer };
}

const refused = (request: GoldenRequest, status: number, error = '{sentence}'): GoldenExchange =>
  answered(request, status, { error });

const LOGIN: GoldenExchange = {
  section: 'wire contract 8',
  server: 'credentialing',
  request: login,
  answer: { status: 200, headers: rate(10), json: { token: '{credentialsToken}', expiresIn: 3600 } },
};

/** In the order in which one credential lives. */
export const OPERATIONS = {
  login: LOGIN,
  create: answered(create, 201, { credentialId: '{credentialId}', cardNumber: 1 }),
  createRaw: answered(
    {
      method: 'POST',
      path: `${CREDENTIALS}/raw`,
      headers: JSON_HEADERS,
      json: {
        userId: RAW_USER_ID,
        mobileNumber: '+15550100123',
        rawCredential: '1f00aa55c3',
        bitLength: 37,
      },
    },
    201,
    { credentialId: '{rawCredentialId}' },
  ),
  get: answered({ method: 'GET', path: CREDENTIAL, headers: HEADERS }, 200, RECORD),
  getByUser: answered(
    { method: 'GET', path: `${CREDENTIALS}/users/${USER_ID}`, headers: HEADERS },
    200,
    RECORD,
  ),
  deleteByUser: answered(
    { method: 'DELETE', path: `${CREDENTIALS}/users/${RAW_USER_ID}`, headers: HEADERS },
    204,
  ),
  list: answered(list, 200, [RECORD]),
  saveNoTour: answered(
    { method: 'POST', path: PAYLOADS, headers: JSON_HEADERS, json: { payloads: [PAYLOAD] } },
    200,
    [PAYLOAD],
  ),
  deleteNoTourOfLock: answered(
    { method: 'DELETE', path: `${PAYLOADS}/${PAYLOAD.deviceSerialNumber}`, headers: HEADERS },
    204,
  ),
  deleteNoTour: answered({ method: 'DELETE', path: PAYLOADS, headers: HEADERS }, 204),
  delete: answered({ method: 'DELETE', path: CREDENTIAL, headers: HEADERS }, 204),
} as const satisfies Record<string, GoldenExchange>;

const gatewayRefusal = (
  request: GoldenRequest,
  headers: Readonly<Record<string, string>>,
): GoldenExchange => ({
  section: 'wire contract 8; 11, Credentialing',
  server: 'credentialing',
  request,
  answer: { status: 401, headers, json: { statusCode: 401, message: '{sentence}' } },
});

export const CREDENTIAL_REFUSALS = {
  keyWrong: gatewayRefusal({ ...list, headers: { ...HEADERS, 'vendor-subscription-key': 'no-key' } }, {}),
  tokenWrong: gatewayRefusal(
    { ...list, headers: { ...HEADERS, authorization: 'Bearer no-token' } },
    rate(100),
  ),
  loginWrong: {
    ...refused({ ...login, json: { username: '{username}', password: 'not-the-password' } }, 401),
    answer: { status: 401, headers: rate(10), json: { error: '{sentence}' } },
  },
  secondCredential: refused(create, 409),
  formatUnknown: refused(
    { ...create, json: { userId: RAW_USER_ID, ...CARD, cardFormat: '99Z', attributes: ATTRIBUTES } },
    400,
  ),
  noPayloads: refused({ method: 'DELETE', path: PAYLOADS, headers: HEADERS }, 404),
  unknown: refused({ method: 'GET', path: `${CREDENTIALS}/c-unknown`, headers: HEADERS }, 404),
  rateExceeded: {
    section: 'wire contract 9',
    server: 'credentialing',
    request: login,
    answer: {
      status: 429,
      headers: {
        'x-rate-limit': '10',
        'x-rate-limit-remaining': '0',
        'x-rate-limit-reset': '{reset}',
        'x-retry-after': '{wait}',
      },
      json: { error: 'Rate limit reached. Try again in {wait} seconds.' },
    },
  },
} as const satisfies Record<string, GoldenExchange>;
