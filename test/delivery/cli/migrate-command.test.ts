import { migrateCommand } from '../../../src/delivery/cli/migrate-command';

describe('schneeai migrate', () => {
  const place = 'postgres://db.example/schneeai';
  const migrateTo = (applied: readonly string[]) => ({ place, migrate: () => Promise.resolve(applied) });

  it('names what it applied, in order', async () => {
    expect(await migrateCommand([], migrateTo(['0001-first', '0002-second']))).toEqual({
      exitCode: 0,
      output: `applied 0001-first\napplied 0002-second\n${place} is up to date.\n`,
    });
  });

  it('says when there was nothing to do', async () => {
    expect(await migrateCommand([], migrateTo([]))).toEqual({
      exitCode: 0,
      output: `${place} was up to date.\n`,
    });
  });

  it('does nothing when it is called with a word that it does not know', async () => {
    const migrate = jest.fn();

    const { exitCode } = await migrateCommand(['down'], { place, migrate });

    expect(exitCode).toBe(2);
    expect(migrate).not.toHaveBeenCalled();
  });
});
