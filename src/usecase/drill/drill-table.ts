import { cancelBeforeHeaders, cancelInBackoff, cancelMidStream, malformedRequest } from './caller-drills';
import type { Drill, DrillName } from './drill';
import { costCeiling, excludedProvider } from './gate-drills';
import {
  allRoutesExhausted,
  primaryDown,
  rateLimitFits,
  rateLimitTooLong,
  requestRefused,
  streamCut,
} from './provider-drills';
import { ledgerReconciled, storeLost } from './record-drills';
import { toolWorkflow } from './tool-drill';

/** DESIGN §9, Drills. */
export const DRILLS: Readonly<Record<DrillName, Drill>> = {
  'primary-down': primaryDown,
  'rate-limit-fits': rateLimitFits,
  'rate-limit-too-long': rateLimitTooLong,
  'cancel-before-headers': cancelBeforeHeaders,
  'cancel-in-backoff': cancelInBackoff,
  'cancel-mid-stream': cancelMidStream,
  'stream-cut': streamCut,
  'malformed-request': malformedRequest,
  'request-refused': requestRefused,
  'tool-workflow': toolWorkflow,
  'all-routes-exhausted': allRoutesExhausted,
  'excluded-provider': excludedProvider,
  'cost-ceiling': costCeiling,
  'store-lost': storeLost,
  'ledger-reconciled': ledgerReconciled,
};
