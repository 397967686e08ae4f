// Findings that features bring to the doctor, from the check of the service.
import type { ServiceCheck } from '../../domain/account/service-check.ts';
import type { Message } from '../../domain/language/message.ts';
import { Additions } from '../../support/additions.ts';
import type { Finding } from './finding.ts';

export interface FeatureFindings {
  /** Their names. */
  readonly checks: readonly Message[];
  readonly of: (check: ServiceCheck) => readonly Finding[];
}

export const featureFindings = new Additions<FeatureFindings>();
