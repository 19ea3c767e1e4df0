import type { DependencyContainer } from 'tsyringe';
import { SpoolFolder } from '../infra/store/spool/spool-folder';
import { errorFactsOf } from '../infra/store/error-facts';
import { TOKEN } from './token';

/** Rejects with a message for the operator if nothing could be kept on disk: he would hear of it when the store is away. */
export async function checkSpool(container: DependencyContainer): Promise<void> {
  try {
    await container.resolve(SpoolFolder).prepare();
  } catch (cause) {
    const { dataDir } = container.resolve(TOKEN.config);
    throw new Error(
      `SCHNEEAI_DATA_DIR must name a folder that the gateway can write to, not '${dataDir}' (${errorFactsOf(cause).code}). ` +
        'Closing records wait there while the store is away, also with PostgreSQL.',
      { cause },
    );
  }
}
