// The configurations that documents give to copy: each is read by what reads it in the plugin, the relay or the simulator.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readRelayConfig } from '../../../relay/src/relay-config.ts';
import { parseScenario } from '../../../simulator/src/scenario/scenario.ts';
import { readCodeFile } from '../../../src/cli/codes/code-file.ts';
import { writeEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import { readAccessCommand } from '../../../src/features/home-assistant/broker/access-command.ts';
import { readSetCommand } from '../../../src/features/home-assistant/broker/set-command.ts';
import { t } from '../../../src/words/translate.ts';
import { blocksOf, type CodeBlock, DOCUMENTS } from '../../support/document-code.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ENROLMENT } from './enrolment.ts';

type Members = Readonly<Record<string, unknown>>;

const blocks = DOCUMENTS.flatMap(blocksOf).filter(({ language }) => /^(?:json|yaml|csv)$/u.test(language));

/** The instant that the examples of MQTT were sent at. */
const SENT_AT = 1_776_168_000_000;

const PARTNER = {
  authUrl: 'https://auth.partner.example',
  baseUrl: 'https://api.partner.example',
  redirectUri: 'https://home.example/callback',
};

/** The members of a block; a part of a configuration is written without the braces around it. */
function membersOf({ language, text }: CodeBlock): unknown {
  if (language === 'yaml') {
    return parse(text) as unknown;
  }
  return JSON.parse(text.startsWith('"') ? `{${text}}` : text) as unknown;
}

/** Problems and warnings of a platform block, or of a part of one. */
function faultsOfOptions(members: Members): readonly string[] {
  const partner =
    members['demo'] === true
      ? {}
      : { partner: { ...PARTNER, ...(members['partner'] as Members | undefined) } };
  const webhooks = members['webhooks'] as Members | undefined;
  // The line of a home is a secret and as long as one: the document cuts it short.
  const enrolment = webhooks?.['enrolment'] === undefined ? {} : { enrolment: writeEnrolment(ENROLMENT) };
  const block = { ...members, ...partner, ...(webhooks ? { webhooks: { ...webhooks, ...enrolment } } : {}) };
  const reading = readConfig(block);
  const lines = (reading.ok ? reading.warnings : reading.problems).map((line) => t(line));
  return reading.ok ? lines.filter((line) => line.includes('not an option')) : lines;
}

/** A file of a relay; a part of one is read with the rest of the document's whole one. */
function readAsRelay(members: Members): void {
  const whole = blocks.find(
    ({ document, text }) => document === 'relay/README.md' && text.includes('"secrets"'),
  );
  const file = join(temporaryFolder(), 'relay.json');
  writeFileSync(file, JSON.stringify({ ...(whole && (membersOf(whole) as Members)), ...withKeys(members) }));
  readRelayConfig(file);
}

/** The document says in words what stands in place of a key; each has a form that is checked. */
function withKeys({ shared, ...others }: Members): Members {
  if (shared === undefined) {
    return others;
  }
  const { homes, ...rest } = shared as Members;
  const keys = Object.keys(homes as Members).map((home) => [home, 'k'.repeat(43)]);
  return {
    ...others,
    shared: { ...rest, token: 't'.repeat(32), homes: Object.fromEntries(keys) as Members },
  };
}

function kindOfMessage(line: string): string | undefined {
  const payload = new TextEncoder().encode(line);
  const time = { earliest: SENT_AT, latest: SENT_AT };
  const times = { time, servedForMs: 1, lastAskedAt: null };
  const facts = { payload, repeat: null, pinRefusal: () => null, ...times };
  const reading = line.includes('unlock')
    ? readSetCommand({ ...facts, commands: 'both' })
    : readAccessCommand({ ...facts, mayUnlock: () => true });
  return reading?.kind;
}

/** Fails where the plugin refuses the document's example. */
async function check(block: CodeBlock): Promise<void> {
  const { document, language, text } = block;
  if (document === 'docs/operate/code-files.md') {
    const environment = { CLEANER_CODE: '4711', OWNER_CODE: '4712' };
    expect(await readCodeFile(`codes.${language}`, text, environment)).not.toEqual([]);
    return;
  }
  if (text.includes('"action":') && document === 'docs/operate/mqtt.md') {
    const lines = text.trim().split('\n');
    expect(lines.filter((line) => kindOfMessage(line) !== 'command')).toEqual([]);
    return;
  }
  const members = membersOf(block) as Members;
  if ('startAt' in members) {
    parseScenario(members, block.place);
  } else if ('secrets' in members || 'shared' in members) {
    readAsRelay(members);
  } else {
    expect(faultsOfOptions(members)).toEqual([]);
  }
}

describe('a configuration to copy', () => {
  it.each(blocks.filter(({ notRun }) => notRun === null))('of $place is accepted unchanged', check);

  it('without a test has its reason above it', () => {
    const unread = blocks.filter(({ notRun }) => notRun !== null);
    expect(blocks.length).toBeGreaterThan(20);
    expect(unread.length).toBeLessThan(blocks.length / 4);
  });

  it('is in the README and in the steps for a reviewer without an account, complete', () => {
    const complete = blocks
      .filter(({ language, text }) => language === 'json' && text.includes('"platform": "Latchkey"'))
      .filter((block) => {
        const reading = readConfig(membersOf(block));
        return reading.ok && (reading.config.demo || reading.config.partner !== null);
      });
    const holding = complete.map(({ document }) => document);
    expect(holding).toEqual(expect.arrayContaining(['README.md', 'docs/develop/store-review.md']));
  });
});
