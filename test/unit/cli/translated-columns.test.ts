// Columns of the command line are as wide as their longest label in the language of the reader.
import { afterEach, expect, it } from 'vitest';
import { planLines } from '../../../src/cli/codes/sync-plan.ts';
import { checkWidth } from '../../../src/cli/doctor/finding.ts';
import { ENGLISH, setLanguage } from '../../../src/words/translate.ts';
import { lockView } from './terminal/lock-view.ts';

afterEach(() => setLanguage(ENGLISH));

function speak(messages: Readonly<Record<string, string>>): void {
  setLanguage({ code: 'de', locale: 'de', messages });
}

it('a plan of codes aligns the names behind what happens to them', () => {
  const draft = { name: 'Ann', pin: '1111', schedule: { kind: 'always' } } as const;
  const revisions = new Map();
  const plan = [{ lock: lockView('Front door'), steps: [{ kind: 'add', draft }], revisions }] as const;
  expect(planLines(plan)[1]).toBe(`  + ${'add'.padEnd('unchanged'.length)}  Ann`);
  speak({ add: 'hinzufügen', 'read-only': 'schreibgeschützt' });
  expect(planLines(plan)[1]).toBe(`  + ${'hinzufügen'.padEnd('schreibgeschützt'.length)}  Ann`);
});

it('the doctor leaves room for the longest name of a check', () => {
  expect(checkWidth()).toBe('authorization server'.length);
  speak({ 'subscription key {number}': 'Abonnementschlüssel Nummer {number}' });
  expect(checkWidth()).toBe('Abonnementschlüssel Nummer 1'.length);
});
