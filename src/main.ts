#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { supportedNodeOrExit } from './node-version';

supportedNodeOrExit();

// Half of a start is compiling. What an earlier start compiled stays beside the code, where only its owner can write; where
// nobody can, every start compiles (ADR 22). Sources that run as they are change too often for that.
if (__filename.endsWith('.js')) enableCompileCache(join(__dirname, 'compile-cache'));

// Only now: what these load is native, and crashes an older Node instead of failing.
import('reflect-metadata')
  .then(() => import('./container/run-command.js'))
  .then(({ runCommand }) => runCommand(process.argv.slice(2)))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
