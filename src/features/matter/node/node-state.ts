// How apps find the Matter node of this process.

/** `off`: no lock uses Matter, or something prevents it. `offline`: it does not run. `not-added`: no app has added it. */
export type MatterNodeState = 'off' | 'starting' | 'reachable' | 'offline' | 'not-added';

declare module '../../../domain/account/feature-status.ts' {
  interface FeatureStatus {
    /** Whether apps reach the locks over Matter. */
    readonly matter: MatterNodeState;
  }
}
