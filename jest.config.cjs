// Node can require() these ESM-only packages; Jest's own module loader cannot, so swc compiles them for it.
const esmOnly = ['kysely', 'eventsource-parser'];

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  // Without src here, a file that no test imports would be missing from the coverage.
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/architecture/offenders/'],
  // Planted files are never modules of ours, whatever a test asks for.
  modulePathIgnorePatterns: ['<rootDir>/test/architecture/offenders/'],
  setupFiles: ['reflect-metadata'],
  transform: { '^.+\\.[tj]s$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  coverageProvider: 'v8',
  coverageReporters: ['text-summary', 'lcov'],
  collectCoverageFrom: ['src/**/*.ts', '!src/main.ts'],
  // Jest applies this with --coverage only. An untested branch in the domain is a missing row of a table.
  coverageThreshold: { './src/domain/': { branches: 95 } },
};
