// What one operation on access codes needs: the service, the disk, clocks, and the listeners to its progress.
import type { AccessCode, AccessCodeId } from '../../domain/access-code.ts';
import type { CodeOperation, CodePhase } from '../../domain/code-operation.ts';
import type { AccessCodeGateway, CodeStore } from '../../domain/code-ports.ts';
import type { CommonParts } from '../common-parts.ts';
import type { CodeLists } from './code-lists.ts';

export interface CodeRunParts extends Pick<CommonParts, 'clock' | 'serviceClock' | 'log'> {
  readonly gateway: AccessCodeGateway;
  readonly store: CodeStore;
  readonly lists: Pick<CodeLists, 'read' | 'outdate'>;
  readonly zone: () => string;
  readonly variableLength: (codes: readonly AccessCode[]) => boolean;
  readonly onPhase: (operation: CodeOperation, phase: CodePhase, waitingFor: string | null) => void;
  /** One side has the code and the other may not. */
  readonly onStray: (operation: CodeOperation, codeId: AccessCodeId, only: 'lock' | 'list') => void;
}
