// The introduction that the simulator prints: labelled lines for a person, one JSON value for a program.
import { oneLine } from '../../src/support/log.ts';
import type { PartnerClient } from './auth/partner-client.ts';
import { DEFAULT_PRODUCT_SEGMENT } from './contract/names.ts';
import type { Simulator } from './partner-server.ts';

/** The value under its label. */
type Labelled = readonly [label: string, value: string];

/** What a program gets, in this order. */
const MEMBERS = [
  'url',
  'authUrl',
  'baseUrl',
  'credentialsBaseUrl',
  'controlUrl',
  'productSegment',
  'clients',
  'users',
  'credentialingUsers',
  'calendars',
  'publicKeyPem',
] as const;

/** Everything, with the secrets of all clients: all of them simulated. */
export function introductionJson(simulator: Simulator): string {
  return JSON.stringify(Object.fromEntries(MEMBERS.map((name) => [name, simulator[name]])));
}

/** The values that a person enters or opens, under the labels of the plugin's settings. Of several clients, the first. */
export function introductionText(simulator: Simulator): string {
  const [client] = simulator.clients;
  const groups: readonly (readonly [heading: string, values: readonly Labelled[]])[] = [
    ['Open in a browser on this computer:', [['Doors page', simulator.url]]],
    ["Enter in the plugin's settings:", [...serviceValues(simulator), ...clientValues(client)]],
    ['When the sign-in page asks:', [['Sign in as', simulator.users.map(nameOfUser).join(' or ')]]],
    ['To try mobile credentials, enter these as well:', credentialingValues(simulator, client)],
    ['A booking calendar, to try stays:', simulator.calendars.map(({ name, url }) => [name, url] as const)],
    ['For scripts:', [['Control API', simulator.controlUrl]]],
  ];
  const width = Math.max(...groups.flatMap(([, values]) => values.map(([label]) => label.length)));
  return [
    'The simulator is running. No real lock moves, and every value is made up.',
    ...groups
      .filter(([, values]) => values.some(([, value]) => value !== ''))
      .flatMap(([heading, values]) => ['', heading, aligned(values, width)]),
    '',
    'Press Ctrl-C to stop. For programs, --json prints every value in one line.',
  ].join('\n');
}

function aligned(values: readonly Labelled[], width: number): string {
  return values.map(([label, value]) => `  ${`${label}:`.padEnd(width + 1)}  ${oneLine(value)}`).join('\n');
}

const nameOfUser = ({ friendlyName }: Simulator['users'][number]): string => friendlyName;

function serviceValues({ authUrl, baseUrl, productSegment }: Simulator): readonly Labelled[] {
  return [
    ['Authorization server', authUrl],
    ['Device interface (API)', baseUrl],
    ...(productSegment === DEFAULT_PRODUCT_SEGMENT ? [] : [['Product segment', productSegment] as const]),
    ['Allow http on this computer', 'on'],
  ];
}

function clientValues(client: PartnerClient | undefined): readonly Labelled[] {
  if (client === undefined) {
    return [];
  }
  const { clientId, clientSecret } = client;
  const [firstKey, secondKey] = client.subscriptionKeys;
  const [redirectUri] = client.redirectUris;
  return [
    ...(redirectUri === undefined ? [] : [['Redirect URI', redirectUri] as const]),
    ['Client ID', clientId],
    ['Client secret', clientSecret],
    ['Subscription key', firstKey],
    ['Second subscription key', secondKey],
  ];
}

/** A login that may do everything, where there is one. */
function credentialingValues(
  { credentialsBaseUrl, credentialingUsers }: Simulator,
  client: PartnerClient | undefined,
): readonly Labelled[] {
  const login = credentialingUsers.find(
    ({ clientId, role }) => clientId === client?.clientId && role === 'Administrator',
  );
  return login === undefined
    ? []
    : [
        ['Credentialing interface', credentialsBaseUrl],
        ['Credentialing user name', login.username],
        ['Credentialing password', login.password],
      ];
}
