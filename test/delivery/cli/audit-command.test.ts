import { AUDIT_USAGE, auditCommand } from '../../../src/delivery/cli/audit-command';
import type { AuditVerification } from '../../../src/usecase/audit/verify-audit';

const INTACT: AuditVerification = {
  chains: [
    {
      writer: 'wri_1',
      openedAtMs: 0,
      verified: 7,
      purged: 2,
      head: { writer: 'wri_1', sequence: 9, hash: 'ab' },
      break: null,
    },
  ],
  verifiedOf: new Map(),
  unchainedOf: new Map([['acme', 3]]),
  breaks: [],
};

const verifying = (verification: AuditVerification | null) => ({
  place: 'data/schneeai.db',
  verify: async () => verification,
});

describe('schneeai audit verify', () => {
  it('prints the chains with their ends, and exits with 0 while they are intact', async () => {
    const { exitCode, output } = await auditCommand(['verify'], verifying(INTACT));

    expect(exitCode).toBe(0);
    expect(output).toBe(
      'wri_1  opened 1970-01-01T00:00:00.000Z  7 verified  2 purged  ends at 9 ab\n' +
        '1 chains, 7 entries verified, 3 records from before the chains\n' +
        'intact\n',
    );
  });

  it('names the first break with its record, and exits with 1', async () => {
    const record = { kind: 'interaction', id: 'req_1', tenant: 'acme' } as const;
    const { exitCode, output } = await auditCommand(
      ['verify'],
      verifying({
        ...INTACT,
        breaks: [
          { what: 'changed', writer: 'wri_1', sequence: 4, record },
          { what: 'inserted', writer: null, sequence: null, record: null },
        ],
      }),
    );

    expect(exitCode).toBe(1);
    expect(output).toContain(
      'BROKEN: changed at sequence 4 of writer wri_1: interaction req_1\nalso: inserted outside of any chain\n',
    );
  });

  it('proves nothing where there is no store, and says where it looked', async () => {
    expect(await auditCommand(['verify'], verifying(null))).toEqual({
      exitCode: 2,
      output: 'There is no store at data/schneeai.db. SCHNEEAI_DATA_DIR or DATABASE_URL says where it is.\n',
    });
  });

  it.each([[[]], [['check']], [['verify', 'all']]])('called with %j explains itself', async (args) => {
    expect(await auditCommand(args, verifying(INTACT))).toEqual({ exitCode: 2, output: AUDIT_USAGE });
  });
});
