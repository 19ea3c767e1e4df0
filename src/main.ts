#!/usr/bin/env node
import { supportedNodeOrExit } from './node-version';

supportedNodeOrExit();

// Only now: what these load is native, and crashes an older Node instead of failing.
import('reflect-metadata')
  .then(() => import('./container/run-command.js'))
  .then(({ runCommand }) => runCommand(process.argv.slice(2)))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
