// Each fault of the service's certificate by its own name, with its remedy: linking, log, pages and doctor.
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkServiceAlone } from '../../../src/app/partner/service-alone.ts';
import { serviceFindings } from '../../../src/cli/doctor/service.ts';
import { OAuthClient } from '../../../src/cloud/account/oauth-client.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { trialFaults } from '../../../web/panel/setup/service-trial.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { type Certificate, makeAuthority, makeCertificate } from '../../support/certificates.ts';
import { configOf } from '../../support/checked-config.ts';
import { listeningPort } from '../../support/listening-port.ts';

const DAY_MS = 86_400_000;
const now = systemClock.now();

const trusted = makeAuthority('A trusted authority');
const unknown = makeAuthority('An unknown authority');

const former = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...former, trusted.cert]));
afterAll(() => setDefaultCACertificates(former));

interface Case {
  readonly fault: string;
  readonly certificate: Certificate;
  readonly what: string;
  readonly remedy: RegExp;
}

const NOTHING_SENT = 'so nothing was sent to it.';
const OTHER_NETWORK = /^A network or a program .* try another network, and compare the addresses/u;

const CASES: readonly Case[] = [
  {
    fault: 'has expired',
    certificate: makeCertificate({ by: trusted, until: now - DAY_MS }),
    what: `The certificate of the service has expired, ${NOTHING_SENT}`,
    remedy: /^Check the clock of this machine\. If it is right, the service has to renew/u,
  },
  {
    fault: 'is not valid yet',
    certificate: makeCertificate({ by: trusted, from: now + DAY_MS }),
    what: `The certificate of the service is not valid yet, ${NOTHING_SENT}`,
    remedy: /^Usually the clock of this machine is behind: let the machine set it by NTP\.$/u,
  },
  {
    fault: 'is for another host',
    certificate: makeCertificate({ by: trusted, names: ['locks.example'] }),
    what: `The certificate of the service is for another name, ${NOTHING_SENT}`,
    remedy: OTHER_NETWORK,
  },
  {
    fault: 'is signed by an unknown authority',
    certificate: makeCertificate({ by: unknown }),
    what: `The certificate of the service is signed by an unknown authority, ${NOTHING_SENT}`,
    remedy: OTHER_NETWORK,
  },
  {
    fault: 'is signed by itself',
    certificate: makeCertificate(),
    what: `The certificate of the service is signed by itself alone, ${NOTHING_SENT}`,
    remedy: OTHER_NETWORK,
  },
];

/** A server with this certificate, which counts what it was asked. */
async function serverWith(certificate: Certificate): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (_, response) => {
    asked += 1;
    response.end('[]');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await listeningPort(server);
  return { url: `https://localhost:${String(port)}`, asked: () => asked };
}

const CREDENTIALS = { clientId: 'id', clientSecret: 'secret', subscriptionKeys: ['key'] };

function partnerAt(url: string) {
  const { partner } = configOf({
    platform: 'Latchkey',
    name: 'Latchkey',
    partner: {
      ...CREDENTIALS,
      allowPrivateHosts: true,
      authUrl: url,
      baseUrl: url,
      redirectUri: 'https://home.example/callback',
      productSegment: 'locks',
    },
  });
  if (partner === null) {
    throw new Error('The partner is incomplete');
  }
  return partner;
}

describe.each(CASES)('a certificate of the service that $fault', ({ certificate, what, remedy }) => {
  it('is named where an account is linked, and nothing is sent (faults#182)', async () => {
    const { url, asked } = await serverWith(certificate);
    const client = new OAuthClient({ ...partnerAt(url), client: () => CREDENTIALS, clock: systemClock });
    onTestFinished(async () => client.close());
    const failed = (): Promise<unknown> => client.exchange('code', null).catch((error: unknown) => error);
    // The second finds the certificate distrusted already, and says the same.
    for (const failure of [await failed(), await failed()]) {
      expect(failure).toMatchObject({ disposition: 'retry', code: 'unreachable' });
      const { message } = failure as Error;
      expect([message.startsWith(`${what} `), message.slice(what.length + 1)]).toEqual([
        true,
        expect.stringMatching(remedy),
      ]);
    }
    expect(asked()).toBe(0);
  });

  it('is a finding of the doctor and a verdict of the pages, with its remedy (faults#182)', async () => {
    const { url } = await serverWith(certificate);
    const check = await checkServiceAlone(partnerAt(url), systemClock);
    if (check === null) {
      throw new Error('The credentials are incomplete');
    }
    const findings = serviceFindings(check, false).filter(({ grade }) => grade === 'fault');
    expect(findings).toEqual(
      ['authorization server', 'device interface'].map((name) => ({
        check: name,
        grade: 'fault',
        what,
        advice: expect.stringMatching(remedy) as string,
      })),
    );
    const { authUrl = '', baseUrl = '' } = trialFaults(check);
    expect([authUrl.startsWith(`${what} `), baseUrl]).toEqual([true, authUrl]);
  });

  it('is named in the log once and in the status of the account, while nothing is shown as locked (faults#182)', async () => {
    const { url, asked } = await serverWith(certificate);
    const home = await SimulatedHome.open({ options: { partner: { baseUrl: url } } });
    await home.link();
    await home.clock.advance(120_000);
    const { failing } = await home.app.operations.status({});
    expect(failing?.message.values).toMatchObject({ what: { text: what } });
    const lines = home.lines.filter(
      (line) => line.includes(what) && !line.startsWith('Still no good answer'),
    );
    expect(lines).toEqual([
      expect.stringMatching(/The lock service does not answer as it should: .* Trying again by itself\.$/u),
    ]);
    expect([asked(), home.app.runtime.locks()]).toEqual([0, []]);
  });
});

it('a service whose certificate is good is asked (faults#182)', async () => {
  const { url, asked } = await serverWith(makeCertificate({ by: trusted }));
  await checkServiceAlone(partnerAt(url), systemClock);
  expect(asked()).toBeGreaterThan(0);
});
