import { constants } from 'node:os';
import pino, { type Logger } from 'pino';
import { AUDIT_USAGE, auditCommand } from '../delivery/cli/audit-command';
import type { CommandOutcome } from '../delivery/cli/command-outcome';
import { DRILL_USAGE } from '../delivery/cli/drill-options';
import { EXPLAIN_USAGE } from '../delivery/cli/explain-options';
import { KEYS_USAGE, keysCommand } from '../delivery/cli/keys-command';
import { MIGRATE_USAGE, migrateCommand } from '../delivery/cli/migrate-command';
import { welcome } from '../delivery/cli/welcome';
import { OWNER_AUTHOR } from '../domain/audit/admin-change';
import { readConfig, type Config } from '../infra/config/config';
import { sha256 } from '../infra/runtime/sha256';
import { SqlAuditChains } from '../infra/store/audit-chains';
import { LogOutput, standardOutput } from '../infra/telemetry/log-output';
import { VerifyAudit, type AuditVerification } from '../usecase/audit/verify-audit';
import { runDrill } from './drill/run-drill';
import { openExistingStore, placeOf } from './existing-store';
import { openDatabase, openStore } from './open-store';
import { runExplain } from './run-explain';
import { startGateway } from './start-gateway';
import { TOKEN } from './token';
import { adminUseCases } from './usecase-registrations';
import { VERSION } from './version';

const USAGE = `schneeai ${VERSION}

  schneeai serve          starts the gateway (settings come from the environment, see docs/operations.md)
  schneeai drill          rehearses a tenant's policies against simulated providers (docs/drills.md)
  schneeai explain        says what would happen to a request, without calling a provider
  schneeai keys create    makes an API key and prints its secret once
  schneeai audit verify   walks the hash chains of the audit log and names the first break
  schneeai migrate        brings the schema of the store up to date and says what that took
`;

/** What shells add to the number of the signal that ended a process. */
const SIGNAL_EXIT = 128;

type Command = Readonly<{
  usage: string;
  run: (args: readonly string[], config: Config) => Promise<CommandOutcome>;
}>;

/** Commands that take arguments, beside `serve`. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['keys', { usage: KEYS_USAGE, run: keys }],
  ['audit', { usage: AUDIT_USAGE, run: audit }],
  ['drill', { usage: DRILL_USAGE, run: drill }],
  ['explain', { usage: EXPLAIN_USAGE, run: explain }],
  ['migrate', { usage: MIGRATE_USAGE, run: migrate }],
]);

/** Runs one command of `schneeai`. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const [command = '--help', ...rest] = args;
  if (command === '--help' || command === 'help') return finish({ exitCode: 0, output: USAGE });
  if (command === '--version') return finish({ exitCode: 0, output: `${VERSION}\n` });
  const misuse = misuseOf(command, rest);
  if (misuse !== null) return finish(misuse);
  const config = readConfig(process.env);
  if (!config.ok) return finish({ exitCode: 2, output: `${config.error.join('\n')}\n` });
  forgetSdkVariables();
  const known = COMMANDS.get(command);
  return known === undefined ? serve(config.value) : finish(await known.run(rest, config.value));
}

/** What can be said without looking at the settings; null: go on. A word that we ignore could be one that was meant. */
function misuseOf(command: string, rest: readonly string[]): CommandOutcome | null {
  const known = COMMANDS.get(command);
  if (known !== undefined) return rest.includes('--help') ? { exitCode: 0, output: known.usage } : null;
  if (command !== 'serve') return { exitCode: 2, output: `There is no command '${command}'.\n\n${USAGE}` };
  if (rest.length === 0) return null;
  if (rest.includes('--help')) return { exitCode: 0, output: USAGE };
  return { exitCode: 2, output: `'serve' takes no arguments, not '${rest.join(' ')}'.\n\n${USAGE}` };
}

/** STACK §3.2: the SDKs would add these headers to every tenant's calls. */
function forgetSdkVariables(): void {
  delete process.env['OPENAI_CUSTOM_HEADERS'];
  delete process.env['ANTHROPIC_CUSTOM_HEADERS'];
}

async function serve(config: Config): Promise<void> {
  const output = new LogOutput(standardOutput());
  process.once('exit', () => output.flushSync());
  const logger = pino({ level: config.logLevel }, output);
  const { gateway, sandbox, keys: firstKeys, providers } = await startGateway({ config, logger });
  process.stdout.write(
    welcome({ baseUrl: gateway.baseUrl, providers, sandbox: sandbox !== null, keys: firstKeys }),
  );
  let asked = false;
  const stop = (signal: NodeJS.Signals): void => {
    // Whoever asks twice does not want to wait: what is open then is reconciled like after a crash.
    if (asked) process.exit(SIGNAL_EXIT + constants.signals[signal]);
    asked = true;
    void stopGateway(gateway, logger, signal);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function stopGateway(
  gateway: { stop(): Promise<void> },
  logger: Logger,
  signal: string,
): Promise<void> {
  logger.info({ signal }, 'stopping');
  try {
    await gateway.stop();
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error }, 'not stopped cleanly');
    process.exit(1);
  }
}

async function keys(args: readonly string[], config: Config): Promise<CommandOutcome> {
  const store = await openStore(config, pino({ level: 'silent' }));
  try {
    const { issueKey } = adminUseCases(store.container);
    const configuration = store.container.resolve(TOKEN.configuration);
    const author = store.container.resolve(TOKEN.changeAuthor);
    return await author.actAs(OWNER_AUTHOR, () => keysCommand(args, { configuration, issueKey }));
  } finally {
    await store.close();
  }
}

function audit(args: readonly string[], config: Config): Promise<CommandOutcome> {
  return auditCommand(args, { place: placeOf(config), verify: () => verifyExisting(config) });
}

/** Read only, so that a look with a newer version migrates nothing; null: there is no store. */
async function verifyExisting(config: Config): Promise<AuditVerification | null> {
  const store = await openExistingStore(config);
  if (store === null) return null;
  try {
    return await new VerifyAudit({ chains: new SqlAuditChains(store.kysely), hash: sha256 }).execute();
  } finally {
    await store.close();
  }
}

function migrate(args: readonly string[], config: Config): Promise<CommandOutcome> {
  return migrateCommand(args, {
    place: placeOf(config),
    migrate: async () => {
      const database = await openDatabase(config, pino({ level: 'silent' }));
      await database.close();
      return database.migrated;
    },
  });
}

function drill(args: readonly string[], config: Config): Promise<CommandOutcome> {
  return runDrill(args, { config, write: (text) => void process.stdout.write(text) });
}

function explain(args: readonly string[], config: Config): Promise<CommandOutcome> {
  return runExplain(args, { config, write: (text) => void process.stdout.write(text) });
}

function finish({ exitCode, output }: CommandOutcome): void {
  (exitCode === 0 ? process.stdout : process.stderr).write(output);
  process.exitCode = exitCode;
}
