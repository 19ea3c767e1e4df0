import { join } from 'node:path';
import { ClosingSpool } from '../../../../src/infra/store/spool/closing-spool';
import { SpoolFolder } from '../../../../src/infra/store/spool/spool-folder';
import { SpoolingInteractionStore } from '../../../../src/infra/store/spool/spooling-interaction-store';
import { interactionStoreContract } from '../../../contract/interaction-store-contract';
import type { Stores } from '../../../contract/stores';
import { RecordingIncidents } from '../../../support/recording-incidents';
import { openInMemory, temporaryFolder } from '../../../support/store/sqlite-stores';

/** While its store is there, it is that store. */
async function openWithSpool(): Promise<Stores> {
  const folder = temporaryFolder();
  const stores = await openInMemory();
  const observer = { depth: () => undefined, kept: () => undefined, written: () => undefined };
  const spool = new ClosingSpool(new SpoolFolder(join(folder.path, 'spool')), observer);
  return {
    ...stores,
    interactions: new SpoolingInteractionStore(stores.interactions, spool, new RecordingIncidents()),
    async close() {
      await stores.close();
      folder.remove();
    },
  };
}

describe('an interaction store with a spool', () => interactionStoreContract(openWithSpool));
