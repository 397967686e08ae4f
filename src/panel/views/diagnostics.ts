// Diagnostics that a person may send to a supporter: harmless facts from a fixed list.
import type { RuntimeLinkState } from '../../domain/account/account.ts';
import type { BoltState } from '../../domain/locks/bolt.ts';
import type { Battery, Presence, Role } from '../../domain/locks/lock.ts';
import type {
  HealthReport,
  IgnoredEvents,
  RegistrationState,
  SelfTestReport,
} from '../../domain/webhooks/report.ts';

/** A value without personal data: a number, a switch, or a fixed word. */
export type PlainValue = string | number | boolean | null;

/** One lock without its name, its serial number and its id: `lock` counts from 1. */
export interface LockDiagnostics {
  readonly lock: number;
  readonly model: string;
  readonly firmware: string;
  readonly role: Role;
  readonly bolt: BoltState;
  /** How long ago the position was last confirmed, in milliseconds; null when it never was. */
  readonly confirmedAgoMs: number | null;
  readonly requested: boolean;
  readonly presence: Presence;
  readonly battery: Battery;
  readonly options: Readonly<Record<string, PlainValue>>;
}

/** The state of webhook reception, without any address: the first facts needed when webhooks do not arrive. */
export interface WebhookDiagnostics extends HealthReport {
  readonly listening: boolean;
  readonly registration: RegistrationState;
  /** How long ago the last event came in, in milliseconds; null when none has since the start. */
  readonly lastEventAgoMs: number | null;
  /** How often each answer was given, by its name in docs/operate/webhooks.md. */
  readonly answers: Readonly<Record<string, number>>;
  readonly ignored: IgnoredEvents;
  /** The last self-test, and how long ago it ended; null before the first. */
  readonly lastSelfTest: (Omit<SelfTestReport, 'at'> & { readonly agoMs: number }) | null;
}

export interface DiagnosticsView {
  readonly version: string;
  readonly runtime: {
    readonly node: string;
    readonly platform: string;
    readonly architecture: string;
    readonly uptimeSeconds: number;
    readonly memoryMegabytes: number;
  };
  readonly link: RuntimeLinkState;
  readonly service: {
    readonly failingForMs: number | null;
    /** How far this machine's clock is ahead of the service's, and how exactly that is known. */
    readonly clockAheadMs: number | null;
    readonly clockUncertaintyMs: number | null;
  };
  readonly webhooks: WebhookDiagnostics;
  /** Commands sent that have not completed yet. */
  readonly openCommands: number;
  /** Values by the option's path. Addresses and secrets show as "set" or "not set". */
  readonly options: Readonly<Record<string, PlainValue>>;
  readonly locks: readonly LockDiagnostics[];
}
