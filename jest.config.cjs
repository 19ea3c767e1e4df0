const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

// Node can require() these ESM-only packages; Jest's own module loader cannot, so swc compiles them for it.
const esmOnly = ['kysely', 'eventsource-parser', 'ai', '@ai-sdk', '@workflow', 'zod'];

const stripTypes = { jsc: { parser: { syntax: 'typescript', decorators: true } }, minify: true };

/** Nothing is left of it once the types are gone. No test can load such a file, and v8 would count it as a missed branch. */
const isTypesOnly = (file) => {
  const { code } = transformSync(readFileSync(join(__dirname, file), 'utf8'), {
    ...stripTypes,
    swcrc: false,
  });
  return ['', 'export{};', 'export{}'].includes(code.trim());
};

const typesOnly = () =>
  readdirSync(join(__dirname, 'src/domain'), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/domain/${file}`)
    .filter(isTypesOnly)
    .map((file) => `!${file}`);

const coverage = process.argv.includes('--coverage');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // Else each use of a global is looked up by an interceptor, which took half the time of some suites. Nobody replaces these.
  sandboxInjectedGlobals: ['Array', 'JSON', 'Math', 'Number', 'Object'],
  // Jest's default leaves one core idle, and on two cores that is half of them.
  maxWorkers: '100%',
  // No test waits for real time; this is for a machine that does other work as well.
  testTimeout: 30_000,
  // Without src here, a file that no test imports would be missing from the coverage.
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/architecture/offenders/'],
  // Planted files are never modules of ours, whatever a test asks for.
  modulePathIgnorePatterns: ['<rootDir>/test/architecture/offenders/'],
  setupFiles: ['reflect-metadata'],
  // A PostgreSQL for the tests that ask for one.
  globalSetup: '<rootDir>/test/global-setup.cjs',
  globalTeardown: '<rootDir>/test/global-teardown.cjs',
  // A dynamic import names the file that Node will load, which tsc has yet to make.
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1.ts'] },
  transform: { '^.+\\.[tj]s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  coverageProvider: 'v8',
  coverageReporters: ['text-summary', 'lcov'],
  collectCoverageFrom: ['src/domain/**/*.ts', ...(coverage ? typesOnly() : [])],
  // Jest applies this with --coverage only. An untested branch in the domain is a missing row of a table.
  coverageThreshold: { './src/domain/': { branches: 95 } },
};
