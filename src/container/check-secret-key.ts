import type { DependencyContainer } from 'tsyringe';
import { deriveKey } from '../infra/config/secret-key';
import { SecretKeyMark } from '../infra/store/secret-key-mark';
import { requestConnection } from '../infra/store/store-database';
import { TOKEN } from './token';

/** Rejects with a message for the operator if the store was used with another secret key and he hasn't said that he knows. */
export async function checkSecretKey(container: DependencyContainer): Promise<void> {
  const mark = deriveKey(container.resolve(TOKEN.secretKey), 'mark');
  const stored = new SecretKeyMark(requestConnection(container.resolve(TOKEN.database)));
  if (await stored.matches(mark)) return;
  if (!container.resolve(TOKEN.config).secretKeyReplaced) throw new Error(OTHER_KEY);
  await stored.replace(mark);
  container
    .resolve(TOKEN.logger)
    .warn('the secret key was replaced: answers kept under the old one are lost');
}

const OTHER_KEY =
  'The store was used with another secret key. Start with the same SCHNEEAI_SECRET_KEY (or secret.key in SCHNEEAI_DATA_DIR) as before, on every replica. ' +
  'If it is lost, start once with SCHNEEAI_SECRET_KEY_REPLACED=true: answers kept for an Idempotency-Key and archived requests can no longer be read.';
