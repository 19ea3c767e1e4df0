import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkHash, type HashText } from '../../../src/domain/audit/hash-chain';

const documented = readFileSync(join(__dirname, '../../../docs/audit.md'), 'utf8');

describe('the worked example of docs/audit.md', () => {
  it('is what the gateway computes', () => {
    const row = {
      id: 'chg_1',
      at: 1_764_489_600_000,
      changed_by: 'key_1',
      tenant: 'acme',
      object_kind: 'tenant',
      object_id: 'acme',
      action: 'created',
      from_version: null,
      to_version: null,
      fields: '[]',
      writer: 'wri_1',
      sequence: 2,
    };
    const hashed: string[] = [];
    const sha256: HashText = (text) => {
      hashed.push(text);
      return createHash('sha256').update(text).digest('hex');
    };

    const hash = linkHash({ kind: 'change', row, attempts: [] }, '0'.repeat(64), sha256);

    expect(documented).toContain(hashed[0]);
    expect(documented).toContain(hash);
  });
});
