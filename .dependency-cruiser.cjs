// The table of STYLE §3. Paths are anchored; every rule has an offender in test/architecture/offenders/imports, and the
// architecture test fails when one is missing or no longer caught.
const fs = require('node:fs');
const path = require('node:path');

const oneOf = (...names) => `(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`;

/** The folders of these packages, and of their types. The offenders see node_modules from further below. */
const packages = (...names) => `^(?:\\.\\./)*node_modules/(?:@types/)?${oneOf(...names)}/`;

const compositionRoot = '^src/(?:container[^/]*\\.ts$|container/|main\\.ts$)';

const deliveryPackages = packages(
  'class-transformer',
  'class-validator',
  'class-validator-jsonschema',
  'express',
  'helmet',
  'prom-client',
  'raw-body',
);

const deliveryBuiltins = `^(?:node:)?${oneOf(
  'buffer',
  'events',
  'http',
  'net',
  'path',
  'readline',
  'stream',
  'stream/promises',
  'timers',
  'url',
  'util',
)}$`;

const domain = [
  {
    name: 'domain-no-other-layer',
    comment: 'The rules know no outer layer, not even a type of it.',
    from: { path: '^src/domain/' },
    to: { path: '^src/', pathNot: '^src/domain/' },
  },
  {
    name: 'domain-no-node-module',
    comment: 'No I/O, clock or chance in the domain.',
    from: { path: '^src/domain/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'domain-no-package',
    comment: 'The domain is plain TypeScript.',
    from: { path: '^src/domain/' },
    to: { pathNot: '^src/', dependencyTypesNot: ['core'], couldNotResolve: false },
  },
];

const usecase = [
  {
    name: 'usecase-no-other-layer',
    comment: 'Usecases see the domain and their ports.',
    from: { path: '^src/usecase/' },
    to: { path: '^src/', pathNot: '^src/(?:domain|usecase)/' },
  },
  {
    name: 'usecase-no-other-concept',
    comment: 'What two concepts share is a rule (domain) or a role (usecase/port).',
    from: { path: '^src/usecase/([^/]+)/' },
    to: { path: '^src/usecase/', pathNot: '^src/usecase/(?:port|$1)/' },
  },
  {
    name: 'usecase-no-node-module',
    comment: 'Every effect goes through a port.',
    from: { path: '^src/usecase/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'usecase-no-package',
    comment: 'Libraries are a matter of infra and delivery.',
    from: { path: '^src/usecase/' },
    to: { pathNot: '^src/', dependencyTypesNot: ['core'], couldNotResolve: false },
  },
];

const delivery = [
  {
    name: 'delivery-no-other-layer',
    comment: 'Delivery calls usecases; the container hands them over.',
    from: { path: '^src/delivery/' },
    to: { path: '^src/', pathNot: '^src/(?:delivery|usecase|domain)/' },
  },
  {
    name: 'delivery-own-packages',
    comment: 'HTTP, validation and the metrics text; no SDK, no database.',
    from: { path: '^src/delivery/' },
    to: {
      pathNot: ['^(?:src|test)/', deliveryPackages],
      dependencyTypesNot: ['core'],
      couldNotResolve: false,
    },
  },
  {
    name: 'delivery-own-builtins',
    comment: 'What serving HTTP and a command line needs; files, hashes and processes are ports.',
    from: { path: '^src/delivery/' },
    to: { dependencyTypes: ['core'], pathNot: deliveryBuiltins },
  },
];

const infra = [
  {
    name: 'infra-no-other-layer',
    comment: 'Adapters implement ports; they never call a usecase or a controller.',
    from: { path: '^src/infra/' },
    to: { path: '^src/', pathNot: '^src/(?:infra|domain|usecase/port)/' },
  },
  {
    name: 'infra-no-http-server-package',
    comment: 'Serving is delivery.',
    from: { path: '^src/infra/' },
    to: { path: packages('express', 'helmet', 'class-validator-jsonschema') },
  },
  {
    name: 'simulator-builtins-only',
    comment: 'The simulator stands outside the gateway: it knows the wire, not our words for it.',
    from: { path: '^src/infra/simulator/' },
    to: { pathNot: '^src/infra/simulator/', dependencyTypesNot: ['core'], couldNotResolve: false },
  },
];

const libraries = [
  {
    name: 'openai-in-its-adapter-only',
    from: { path: '^src/', pathNot: '^src/infra/provider/openai/' },
    to: { path: packages('openai') },
  },
  {
    name: 'anthropic-in-its-adapter-only',
    from: { path: '^src/', pathNot: '^src/infra/provider/anthropic/' },
    to: { path: packages('@anthropic-ai/sdk') },
  },
  {
    name: 'database-in-store-only',
    from: { path: '^src/', pathNot: '^src/infra/store/' },
    to: { path: packages('better-sqlite3', 'kysely', 'pg') },
  },
  {
    name: 'redis-in-its-folder-only',
    from: { path: '^src/', pathNot: '^src/infra/redis/' },
    to: { path: packages('ioredis') },
  },
  {
    name: 'rate-limiter-in-its-folder-only',
    from: { path: '^src/', pathNot: '^src/infra/rate/' },
    to: { path: packages('rate-limiter-flexible') },
  },
  {
    name: 'wiring-in-composition-root-only',
    comment: 'Constructors stay plain: STYLE §6.',
    from: { path: '^src/', pathNot: compositionRoot },
    to: { path: packages('tsyringe', 'reflect-metadata') },
  },
  {
    name: 'no-development-package',
    comment: 'The image is installed with --omit=dev.',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
];

const shape = [
  {
    name: 'container-for-composition-root-only',
    from: { path: '^src/', pathNot: compositionRoot },
    to: { path: '^src/(?:container[^/]*\\.ts$|container/)' },
  },
  { name: 'main-for-nobody', from: { path: '^src/' }, to: { path: '^src/main\\.ts$' } },
  { name: 'no-import-of-tests', from: { path: '^src/' }, to: { path: '^test/' } },
  { name: 'no-unresolvable', from: {}, to: { couldNotResolve: true } },
  { name: 'no-circular', comment: 'Type-only cycles included.', from: {}, to: { circular: true } },
  {
    name: 'no-orphans',
    comment: 'Code that nothing uses is dead. A warning only until the composition root exists.',
    severity: fs.existsSync(path.join(__dirname, 'src/main.ts')) ? 'error' : 'warn',
    from: { orphan: true, path: '^src/', pathNot: '^src/main\\.ts$' },
    to: {},
  },
];

module.exports = {
  forbidden: [domain, usecase, delivery, infra, libraries, shape]
    .flat()
    .map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: path.join(__dirname, 'tsconfig.json') },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      // `import` too: some packages have no other entry, and Node can require() those.
      conditionNames: ['require', 'import', 'node', 'default'],
    },
  },
};
